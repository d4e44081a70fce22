// Containers, members, references and short functions as plain arrays.
//
// Before anything else reads a region, its AST is rewritten: `v[i]` of a vector
// and `this->x[i]` become subscripts of variables made for the purpose, range-
// for loops become counted ones, and calls of one-line member functions and
// lambdas their bodies. The text follows through edits. Everything later in the
// stage sees pointers, arrays and scalars only. Surface: normalise().
#pragma once

#include "model/RegionState.h"

#include "clang/AST/ExprCXX.h"

#include <list>

namespace autokernel {

/// Rewrites the region in place; `site` may get another statement.
void normalise(RegionState &state, Site &site);

/// An object named by a variable or `this` and members.
struct ObjectPath {
  const clang::VarDecl *base = nullptr; // null: this
  std::string key;                      // the same for the same path
  std::string spelling;                 // at the region's place
  std::string name;                     // as an identifier
  clang::QualType type;                 // of the object, or of a pointer to it
  const clang::FieldDecl *closed = nullptr; // can't be named at the region
};

/// A class of the standard library that is an array.
struct Container {
  enum Kind { Vector, Array, Span, Valarray, UniquePointer } kind = Vector;
  clang::QualType element;
  uint64_t length = 0; // of Array
};
std::optional<Container> containerOf(const clang::ASTContext &context,
                                     clang::QualType type);

/// A struct of numbers of one type, as an array of them.
struct RowLayout {
  clang::QualType scalar;
  uint64_t count = 0;
};
/// Nothing, and why, where `type` is no such struct.
std::optional<RowLayout> rowOf(clang::ASTContext &context, clang::QualType type,
                               std::string &why);

class Normaliser {
public:
  Normaliser(RegionState &state, Site &site) : state(state), site(site) {}
  void run();

private:
  /// A call whose body is being written in its place.
  struct Inlining {
    const clang::FunctionDecl *function = nullptr;
    std::optional<ObjectPath> object; // what `this` is
    struct Argument {
      clang::Expr *value;
      clang::SourceRange written;
      clang::QualType type; // as written
    };
    std::map<const clang::VarDecl *, Argument> arguments;
    Frame *frame = nullptr;
    const Inlining *outer = nullptr;
  };

  // Normalise.cpp
  clang::Stmt *statement(clang::Stmt *s);
  clang::Expr *expression(clang::Expr *e);
  clang::Expr *special(clang::Expr *e);
  clang::Expr *copy(clang::Expr *e);
  clang::Stmt *declaration(clang::DeclStmt *s);
  clang::Stmt *reference(clang::DeclStmt *s, clang::VarDecl *v);
  clang::Stmt *alias(clang::VarDecl *v, clang::Expr *target,
                     clang::SourceRange written);
  clang::Expr *dereference(const clang::VarDecl *it, clang::SourceLocation star,
                           clang::SourceLocation name);
  clang::Expr *operatorCall(clang::CXXOperatorCallExpr *e);
  void replaceRoot(clang::Stmt *old, clang::Stmt *with);

  // RangeLoops.cpp
  clang::Stmt *rangeLoop(clang::CXXForRangeStmt *s);
  bool iteratorLoop(clang::ForStmt *s);
  void writeHeader(const clang::CXXForRangeStmt *s, clang::SourceRange declared,
                   const std::string &index);
  clang::Expr *use(clang::VarDecl *v, clang::SourceLocation at);
  clang::Expr *converted(clang::Expr *e, clang::QualType to);
  clang::Expr *increment(clang::VarDecl *counter, clang::SourceLocation at);
  clang::Expr *length(clang::Expr *container, clang::SourceRange written);

  // ObjectPaths.cpp
  std::optional<ObjectPath> path(const clang::Expr *e) const;
  clang::VarDecl *variable(const ObjectPath &object, clang::QualType type,
                           const std::string &argument,
                           const std::string &suffix = "");
  /// `variable` written instead of `range`.
  clang::Expr *named(clang::VarDecl *variable, clang::SourceRange range);
  clang::Expr *member(clang::MemberExpr *e);
  clang::VarDecl *elements(const clang::Expr *container);
  clang::Expr *subscript(clang::Expr *container, clang::Expr *index,
                         clang::SourceLocation end);
  clang::Expr *containerCall(clang::CXXMemberCallExpr *e);
  clang::QualType memberType(clang::QualType type) const;
  bool isNameable(const clang::FieldDecl *field, clang::QualType object) const;
  bool isUsedAsArray(const clang::Expr *pointer) const;

  // RunTimeArrays.cpp
  clang::Expr *flattened(clang::ArraySubscriptExpr *e);
  clang::Expr *rowLength(const clang::ArrayType *row, clang::SourceLocation at);
  clang::Expr *asLong(clang::Expr *e);
  clang::SourceLocation openingOf(const clang::ArraySubscriptExpr *s) const;

  // Records.cpp
  clang::Expr *field(clang::MemberExpr *e);
  clang::Expr *row(clang::Expr *element, const RowLayout &layout);
  clang::Expr *rows(clang::Expr *pointer, const RowLayout &layout);
  void writeField(const clang::MemberExpr *e, const clang::Expr *root,
                  const std::string &arrow, const std::string &offset,
                  bool isNumber);
  clang::QualType rowType(clang::QualType record, const RowLayout &layout);

  // Inline.cpp
  clang::Expr *inlined(clang::CallExpr *e);
  clang::Expr *argument(const clang::DeclRefExpr *ref);
  clang::Expr *copyCast(clang::CastExpr *e, clang::Expr *sub);
  bool findObject(clang::CallExpr *e, Inlining &call);
  void qualify(const clang::DeclRefExpr *ref);
  bool isHidden(const clang::ValueDecl *decl) const;
  bool bindArguments(clang::CallExpr *e, Inlining &call);
  bool refuseCall(const clang::CallExpr *e, const std::string &why);

  clang::ASTContext &context() { return state.unit.context; }
  void edit(clang::SourceRange range, const std::string &text);
  clang::Expr *integer(uint64_t value, clang::SourceLocation at,
                       clang::QualType type = {});
  clang::Expr *subscripted(clang::Expr *base, clang::Expr *index,
                           clang::QualType type, clang::SourceLocation end);
  clang::Expr *loaded(clang::Expr *lvalue);
  std::string freeName(const std::string &wanted);

  RegionState &state;
  Site &site;
  std::set<const clang::VarDecl *> inside;       // declared in the region
  std::set<const clang::VarDecl *> usedAsArrays; // pointers used as arrays
  std::set<std::string> usedNames;
  std::map<std::string, clang::VarDecl *> made;
  /// Local references: the pointer that stands for them, or another variable.
  std::map<const clang::VarDecl *, clang::VarDecl *> pointerFor;
  std::map<const clang::VarDecl *, const clang::VarDecl *> sameAs;
  struct Iterator {
    clang::VarDecl *counter;
    clang::Expr *container;
  };
  std::map<const clang::VarDecl *, Iterator> iterators;
  std::map<unsigned, const clang::FunctionDecl *> bodyAt; // by first token
  Inlining *current = nullptr;
  std::set<unsigned> opened; // fields with a parenthesis before them
};

} // namespace autokernel
