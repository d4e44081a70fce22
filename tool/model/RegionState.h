// What the model stage knows of one region while it reads it. Internal.
//
// The walk (Walk.h) fills it; Orders.h, Reference.h and Model.cpp read it.
#pragma once

#include "model/Dependence.h"
#include "model/SourceText.h"
#include "scan/Scan.h"

#include "clang/AST/Expr.h"
#include "clang/AST/StmtCXX.h"

#include <optional>

namespace autokernel {

/// A pointer into array parameter `param`.
struct PointerValue {
  const clang::VarDecl *base = nullptr;
  Value offset;
};

struct AccessFact {
  const clang::VarDecl *array = nullptr; // parameter or local array
  bool isLocal = false;
  bool writes = false;
  bool accumulates = false;
  bool conditional = false;
  std::string op;
  TestedAccess access;
  std::string text;
  clang::SourceLocation place;
};

struct ScalarEvent {
  enum Kind { Read, Write, Update } kind;
  const clang::VarDecl *variable;
  std::string op; // of an Update
  std::vector<unsigned> path;
  bool conditional; // relative to the innermost loop of `path`
  clang::SourceLocation place;
};

struct LoopFact {
  const clang::ForStmt *statement = nullptr;
  const clang::VarDecl *counter = nullptr;
  clang::SourceLocation leaves; // of a break that leaves it
  std::set<const clang::VarDecl *> outerLocalsWritten;
};

struct RegionState {
  RegionState(ParsedUnit &unit, const Site &site, const SourceText &text)
      : unit(unit), site(site), text(text),
        sources(unit.context.getSourceManager()) {}

  ParsedUnit &unit;
  const Site &site;
  const SourceText &text;
  clang::SourceManager &sources;

  Contract contract;
  ValueTable values;
  std::vector<TestedLoop> loops;
  std::vector<LoopFact> loopFacts;
  std::vector<AccessFact> accesses;
  std::vector<ScalarEvent> events;
  Edits edits;

  std::set<const clang::VarDecl *> inside;     // declared in the region
  std::vector<const clang::VarDecl *> outside; // used, declared around it
  std::map<const clang::VarDecl *, unsigned> paramOf;
  std::map<const clang::VarDecl *, unsigned> assigned; // how often
  std::map<const clang::VarDecl *, Value> integers;
  std::map<const clang::VarDecl *, PointerValue> pointers;
  std::set<const clang::VarDecl *> comparedWithNull;
  std::set<const clang::VarDecl *> usedAsIndex;
  std::set<const clang::VarDecl *> sizeLike;
  std::vector<const clang::FunctionDecl *> callees;
  std::set<const clang::TypedefNameDecl *> typedefs;
  std::vector<const clang::VarDecl *> constants;
  std::vector<const clang::EnumConstantDecl *> enumerators;
  bool needsMinMax = false;
  /// Scalars from outside that every use sets first: locals of the kernel.
  std::set<const clang::VarDecl *> privates;
  /// Read-only arrays that a non-const local pointer points into.
  std::set<const clang::VarDecl *> mutableInKernel;

  std::map<const clang::ForStmt *, unsigned> loopOf; // counted loops
  std::map<const clang::VarDecl *, std::vector<unsigned>> declaredUnder;
  std::set<const clang::VarDecl *> pure; // from scalar parameters and counters
  /// Which accesses and events a statement made.
  struct Facts {
    size_t accessBegin = 0, accessEnd = 0, eventBegin = 0, eventEnd = 0;
  };
  std::map<const clang::Stmt *, Facts> factsOf;

  std::optional<Refusal> refusal;
  bool failed() const { return refusal.has_value(); }
  /// Keeps the first refusal only.
  Refusal *refuse(clang::SourceLocation at, const std::string &id,
                  const std::string &message) {
    if (!refusal)
      refusal =
          Refusal{id, placeOf(sources, sources.getFileLoc(at)), message, {}};
    return &*refusal;
  }
};

/// `type` as a contract names it, or nothing where kernels can't hold it.
std::optional<ElementType> elementType(const clang::ASTContext &context,
                                       clang::QualType type);

/// The variable that `expr` names, through parentheses and casts.
const clang::VarDecl *namedVariable(const clang::Expr *expr);

/// Bounds and structure of an integer expression.
Value valueOf(RegionState &state, const clang::Expr *expr);

/// Array and element offset that a pointer expression denotes.
std::optional<PointerValue> pointerOf(RegionState &state,
                                      const clang::Expr *expr);

/// Conditions (each >= 0) that hold where `expr` is `truth`.
void conditionsOf(RegionState &state, const clang::Expr *expr, bool truth,
                  std::vector<Value> &out);

/// Reads the header of a counted loop.
struct CountedLoop {
  const clang::VarDecl *counter = nullptr;
  const clang::Expr *first = nullptr, *bound = nullptr, *step = nullptr;
  std::string comparison;
  bool down = false, declares = false;
  int64_t constantStep = 0; // 0: symbolic
};
/// Nothing, and `why` with its place, where the loop is not a counted one.
std::optional<CountedLoop> readCountedLoop(RegionState &state,
                                           const clang::ForStmt *loop,
                                           std::string &why,
                                           clang::SourceLocation &place);

/// Finds the variables, assignments and names of the region; refuses what can
/// be refused without looking at values.
void collectNames(RegionState &state);
/// Makes parameters of the outside variables that are no constants.
void addParams(RegionState &state);

/// An update `s op= e` of a scalar or element in statement form.
struct UpdateForm {
  const clang::Expr *target = nullptr, *operand = nullptr; // operand null: 1
  std::string op;
  bool negative = false; // `-=`, `--`
};
std::optional<UpdateForm> readUpdate(RegionState &state,
                                     const clang::Stmt *statement);

/// Reads the region's statements into accesses, events and loops.
void walkRegion(RegionState &state);

/// The tree of loops and device code; after the walk and the orders.
Node buildTree(RegionState &state);

/// Decides for every loop whether its iterations may run in any order.
void decideOrders(RegionState &state);
/// Finds the outside scalars that are private to the region.
void decidePrivates(RegionState &state);
/// Whether the value that `variable` has after the region may be read.
bool isLiveAfter(RegionState &state, const clang::VarDecl *variable);

/// How the events of one variable under one loop fit together.
struct ScalarUse {
  bool assigned = false, privateHere = false;
  std::string reduction;       // operator, where all events are updates
  clang::SourceLocation place; // of the first assignment
};
ScalarUse scalarUse(RegionState &state, unsigned loop,
                    const clang::VarDecl *variable);
bool isDeclaredUnder(const RegionState &state, const clang::VarDecl *variable,
                     unsigned loop);

} // namespace autokernel
