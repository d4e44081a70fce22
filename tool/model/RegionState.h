// What the model stage knows of one region while it reads it. Internal.
//
// The walk (Walk.h) fills it; Orders.h, Reference.h and Model.cpp read it.
#pragma once

#include "model/Dependence.h"
#include "model/SourceText.h"
#include "scan/Scan.h"

#include "clang/AST/Expr.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/TypeLoc.h"

#include <list>
#include <optional>

namespace autokernel {

/// A pointer into array parameter `param`.
struct PointerValue {
  const clang::VarDecl *base = nullptr;
  Value offset;
  std::vector<RowSubscript> rows; // as written: A[i][j]; empty: not known
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
  /// The subscript as a whole: `k` of x[k] and x[k++].
  const clang::VarDecl *cursor = nullptr;
  bool advances = false;            // x[k++]
  std::vector<unsigned> scope = {}; // as of a ScalarEvent
};

struct ScalarEvent {
  enum Kind { Read, Write, Update } kind;
  const clang::VarDecl *variable;
  std::string op; // of an Update
  std::vector<unsigned> path;
  bool conditional; // relative to the innermost loop of `path`
  clang::SourceLocation place;
  /// Loop bodies, branches and labels around it, outermost first: an event
  /// whose scope is a prefix of another's happens whenever the other does.
  std::vector<unsigned> scope;
  std::optional<Value> value = {}; // of a Write
  bool inStore = false; // part of a statement that stores to an array
  bool up = false;      // of an Update: by a positive constant
};

/// When the code of a scope runs: where `condition` is `holds`.
struct ScopeFact {
  const clang::Expr *condition = nullptr;
  bool holds = true;
};

/// An induction variable inside the loop that it is a local of.
struct ActiveInduction {
  const clang::VarDecl *variable = nullptr;
  std::string name, outerName; // inside the loop's body and outside of it
  std::string type, declaration;
  Value outerValue;
  bool reads = false; // outerName is the variable itself
};

struct LoopFact {
  const clang::ForStmt *statement = nullptr;
  const clang::VarDecl *counter = nullptr;
  clang::SourceLocation leaves; // of a break that leaves it
  bool conditional = false;     // may not be reached
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
  Edits edits;          // for the kernel
  Edits referenceEdits; // only where the text can't stay as it is

  std::vector<const clang::DeclRefExpr *> mentions; // of anything, in order
  std::set<const clang::VarDecl *> inside;          // declared in the region
  std::vector<const clang::VarDecl *> outside;      // used, declared around it
  std::map<const clang::VarDecl *, unsigned> paramOf;
  std::map<const clang::VarDecl *, unsigned> assigned; // how often
  std::map<const clang::VarDecl *, Value> integers;
  std::map<const clang::VarDecl *, PointerValue> pointers;
  /// Arrays that the region writes somewhere: their values at the call say
  /// nothing.
  std::set<const clang::VarDecl *> writtenArrays;
  /// References that may be elements of an array: arrays of one element.
  std::set<const clang::VarDecl *> places;
  std::set<const clang::VarDecl *> comparedWithNull;
  std::set<const clang::VarDecl *> usedAsIndex;
  std::set<const clang::VarDecl *> sizeLike;
  std::vector<const clang::FunctionDecl *> callees; // callees of them first
  std::vector<const clang::FunctionDecl *> reading; // whose bodies are read now
  std::set<const clang::TypedefNameDecl *> typedefs;
  std::vector<const clang::ValueDecl *> constants; // enumerators, too
  /// Constants that are named without and with a scope; the latter's names.
  std::set<const clang::ValueDecl *> plainConstants;
  std::map<const clang::ValueDecl *, std::string> scopedConstants;
  bool needsMinMax = false;
  /// Template arguments that the region names: T -> float, N -> 4.
  std::map<std::string, ElementType> typeArguments;
  std::map<std::string, std::pair<ElementType, std::string>> valueArguments;
  /// Variables made for members and containers: what the call site passes,
  /// and how many elements there are.
  std::map<const clang::VarDecl *, std::string> argumentOf, lengthOf;
  std::list<Frame> frames; // of inlined bodies
  /// What is inlined and how structs are laid out; part of the fingerprint.
  std::vector<std::string> inlined;
  /// Scalars from outside that every use sets first: locals of the kernel.
  std::set<const clang::VarDecl *> privates;
  /// Read-only arrays that a non-const local pointer points into.
  std::set<const clang::VarDecl *> mutableInKernel;

  std::map<const clang::ForStmt *, unsigned> loopOf; // counted loops
  std::map<const clang::VarDecl *, std::vector<unsigned>> declaredUnder;
  std::map<const clang::ForStmt *, std::vector<ActiveInduction>> inductions;
  /// Induction variables of a loop further out that a loop moves without a
  /// closed form of its own: its iterations follow each other. Their names.
  std::map<unsigned, std::map<const clang::VarDecl *, std::string>> carried;
  /// What induction variables are called where the walk is.
  std::map<const clang::VarDecl *, std::string> inductionNames;
  std::set<const clang::VarDecl *> pure; // from scalar parameters and counters
  /// Which accesses and events a statement made.
  struct Facts {
    size_t accessBegin = 0, accessEnd = 0, eventBegin = 0, eventEnd = 0;
  };
  std::map<const clang::Stmt *, Facts> factsOf;

  /// Where the walk is: loops around, conditions that hold.
  std::vector<unsigned> path;
  std::vector<Value> conditions;
  std::vector<unsigned> scope; // see ScalarEvent
  std::map<unsigned, ScopeFact> scopeFacts;
  std::set<clang::SourceLocation> statementStarts; // of expressions
  struct Around {
    const clang::Stmt *statement;
    size_t scope; // how many scopes are around it
  };
  std::vector<Around> around; // loops of any form

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
/// The same, but nothing for references that count as arrays.
const clang::VarDecl *scalarTarget(const RegionState &state,
                                   const clang::Expr *expr);

/// Every jump inside `s`.
std::vector<const clang::GotoStmt *> gotosIn(const clang::Stmt *s);
/// `label` is in `s`.
bool isLabelIn(const clang::Stmt *s, const clang::LabelDecl *label);
/// A jump or a label of the region lies between two places of its text.
bool hasJumpBetween(const RegionState &state, clang::SourceLocation begin,
                    clang::SourceLocation end);
/// Children of `block` from one that jumps to a label of it to its last such
/// label; none: begin == end.
struct JumpRange {
  size_t begin = 0, end = 0;
};
JumpRange jumpsOf(const clang::CompoundStmt *block);

/// `statement` assigns `v` somewhere.
bool isAssignedIn(const clang::Stmt *statement, const clang::VarDecl *v);

/// How a value that may have wrapped becomes exact, else unknown.
enum class Exactness {
  Guarded, // by proof or by a guard at each call
  Likely   // the same, but no guard where wrapping may be meant
};
/// Bounds and structure of an integer expression.
Value valueOf(RegionState &state, const clang::Expr *expr,
              Exactness how = Exactness::Guarded);
/// The same modulo 2^bits of the expression's type.
Value rawValueOf(RegionState &state, const clang::Expr *expr);
/// `v`, right modulo 2^bits of `type`, made exact where the walk is.
Value exactly(RegionState &state, Value v, clang::QualType type,
              Exactness how = Exactness::Guarded);
/// The integers that a type holds; nothing where int64_t is the limit.
std::optional<Bounds> boundsOf(const ElementType &type);
/// Adds `guard` to the contract once.
void addGuard(RegionState &state, RangeGuard guard);

/// The array that an element or a local pointer belongs to, by syntax alone:
/// local pointers are followed to what initialises them. `passed` gets them
/// all.
const clang::VarDecl *
arrayUnder(const clang::Expr *expr,
           std::set<const clang::VarDecl *> *passed = nullptr);
/// Elements of a constant array, or of one whose size folds to a constant.
std::optional<int64_t> lengthOf(const clang::ASTContext &context,
                                clang::QualType type);

/// Array and element offset that a pointer expression denotes.
std::optional<PointerValue> pointerOf(RegionState &state,
                                      const clang::Expr *expr);

/// Conditions (each >= 0) that hold where `expr` is `truth`.
void conditionsOf(RegionState &state, const clang::Expr *expr, bool truth,
                  std::vector<Value> &out);

/// Reads the header of a counted loop.
struct CountedLoop {
  const clang::VarDecl *counter = nullptr;
  clang::QualType comparedAs; // type that counter and bound are compared in
  const clang::Expr *first = nullptr, *bound = nullptr, *step = nullptr;
  std::string comparison;
  bool down = false, declares = false;
  int64_t constantStep = 0; // 0: symbolic
};
struct LoopProblem {
  std::string id, message; // id of a refusal
  clang::SourceLocation place;
};
/// Nothing, and why, where the loop is not a counted one.
std::optional<CountedLoop> readCountedLoop(RegionState &state,
                                           const clang::ForStmt *loop,
                                           LoopProblem &problem);

/// Finds the variables, assignments and names of the region; refuses what can
/// be refused without looking at values.
void collectNames(RegionState &state);
/// Makes parameters of the outside variables that are no constants.
void addParams(RegionState &state);
/// Gives the array `v` its length `argument` as extent, by a parameter for it.
bool addLength(RegionState &state, const clang::VarDecl *v,
               const std::string &argument);
/// The same for an array that is declared with its length.
bool giveDeclaredLength(RegionState &state, const clang::VarDecl *v);
/// Notes the constant or enumerator that `ref` names; false for anything else.
bool noteConstant(RegionState &state, const clang::DeclRefExpr *ref);
/// Notes the template arguments that an instantiated region names.
void noteTemplateArguments(RegionState &state);
/// Writes the plain type for one that is named with a scope, q::real.
void spellOut(RegionState &state, clang::TypedefTypeLoc written);
/// Writes the integer for an enumeration.
void spellOut(RegionState &state, clang::EnumTypeLoc written);
/// Finds the references that may be elements of an array, or another scalar.
void findPlaces(RegionState &state);

/// An update `s op= e` of a scalar or element in statement form.
struct UpdateForm {
  const clang::Expr *target = nullptr, *operand = nullptr; // operand null: 1
  std::string op;
  bool negative = false; // `-=`, `--`
  /// Further terms of `s = s + operand + more[0] - more[1]`.
  std::vector<const clang::Expr *> more;
};
std::optional<UpdateForm> readUpdate(RegionState &state,
                                     const clang::Stmt *statement);

/// Reads the region's statements into accesses, events and loops.
void walkRegion(RegionState &state);

/// The tree of loops and device code; after the walk and the orders.
Node buildTree(RegionState &state);

/// Decides for every loop whether its iterations may run in any order.
void decideOrders(RegionState &state);
/// Scalars that one iteration of `loop` decides, `v` among them
/// (Selections.cpp). False where `v` is none.
bool addSelection(RegionState &state, unsigned loop, const clang::VarDecl *v);
/// Scalars whose running total over `loop` is stored (Scans.cpp). False where
/// `v` is none.
bool addScan(RegionState &state, unsigned loop, const clang::VarDecl *v);
/// Loops with scans do nothing else that iterations share.
bool scansAreAlone(const RegionState &state, unsigned loop);
/// A store at a scan's variable, which moves on with each: no two meet.
bool movesOn(const RegionState &state, unsigned loop, const AccessFact &a,
             const AccessFact &b);
/// The value that event `at` finds was assigned before it by an event after
/// `from`, in the same iteration of `loop` (-1: the same run of the region).
bool isSetBefore(const RegionState &state, size_t at, int loop,
                 size_t from = 0);
/// Whether `op` in the type `computed`, cast back to the target's, can be done
/// in any order: not where 0.5 is added to an int again and again.
bool keepsSense(RegionState &state, const clang::Expr *target,
                const clang::Expr *operand, clang::QualType computed,
                const std::string &op);
bool sameExpr(RegionState &state, const clang::Expr *a, const clang::Expr *b);
/// Finds the outside scalars that are private to the region.
void decidePrivates(RegionState &state);
/// Whether the value that `variable` has after the region may be read.
bool isLiveAfter(RegionState &state, const clang::VarDecl *variable);

/// Texts of the values that counters declared around the region have after it;
/// refuses where one may be read and can't be told.
std::map<std::string, std::string> lastCounters(RegionState &state);

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
