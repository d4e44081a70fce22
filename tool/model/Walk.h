// The walk over a region's statements and expressions. Internal.
#pragma once

#include "model/RegionState.h"

namespace autokernel {

class Walker {
public:
  explicit Walker(RegionState &state)
      : state(state), path(state.path), conditions(state.conditions),
        scope(state.scope) {}

  void statement(const clang::Stmt *s);
  /// Reads in `e`; side effects are taken where they are statements.
  void expression(const clang::Expr *e);

private:
  // Walk.cpp
  void children(const clang::CompoundStmt *block);
  void label(const clang::LabelStmt *s, size_t conditionsBefore);
  void jumpOver(const clang::Stmt *child, size_t loopsBefore);
  void checkJump();
  bool isForward(const clang::GotoStmt *s) const;
  void declarations(const clang::DeclStmt *s);
  void variable(const clang::VarDecl *v);
  void forLoop(const clang::ForStmt *s);
  void countedLoop(const clang::ForStmt *s, const CountedLoop &header);
  void uncountedLoop(const clang::Stmt *s, const clang::Expr *cond,
                     const clang::Stmt *body);
  void ifStatement(const clang::IfStmt *s);
  void caseLabel(const clang::SwitchCase *s);
  void leave(const clang::Stmt *s);
  bool update(const clang::Stmt *s);
  bool isStore(const clang::Expr *e) const;
  void operands(const UpdateForm &form);
  void noteAdvance(const clang::VarDecl *v, const UpdateForm &form);
  void translateUpdateCall(const clang::Stmt *s);
  void under(const clang::Expr *cond, bool truth,
             const std::function<void()> &body);
  /// Runs `body` in a scope of its own, as what may not be reached.
  void inside(const std::function<void()> &body, ScopeFact fact = {});

  // WalkExpressions.cpp
  void binary(const clang::BinaryOperator *e);
  void pointerComparison(const clang::BinaryOperator *e);
  void assign(const clang::Expr *target, const clang::Expr *value, bool reads);
  void write(const clang::Expr *target, bool reads);
  void unary(const clang::UnaryOperator *e);
  bool advance(const clang::UnaryOperator *e);
  void access(const clang::Expr *e, bool writes, bool accumulates,
              const std::string &op);
  void guardRows(const AccessFact &fact);
  void noteCursor(AccessFact &fact, const clang::Expr *e);
  void reference(const clang::DeclRefExpr *e);
  void call(const clang::CallExpr *e);
  void cast(const clang::CastExpr *e);
  void rememberValue(const clang::VarDecl *v, const clang::Expr *value);
  void noteTypedefs(clang::TypeSourceInfo *info);
  void event(ScalarEvent::Kind kind, const clang::VarDecl *v,
             clang::SourceLocation at, const std::string &op = "");

  RegionState &state;
  std::vector<unsigned> &path;
  std::vector<Value> &conditions;
  std::vector<unsigned> &scope;
  unsigned conditionDepth = 0;
  std::vector<unsigned> loopEntryDepth;
  unsigned breakable = 0; // switch and uncounted loops around
  std::vector<const clang::Stmt *> breakTargets;
  struct Switch {
    size_t conditions, depth, scope; // at its start
  };
  std::vector<Switch> switches;
  unsigned scopes = 0;
  bool inStore = false; // a statement that stores to an array
  size_t statementScope = 0;
  /// Blocks around, their labels that are jumped over code to, and where the
  /// jumps began.
  struct OpenBlock {
    const clang::CompoundStmt *block;
    size_t depth, loops = 0;
    std::set<const clang::LabelDecl *> pending;
  };
  std::vector<OpenBlock> blocks;
};

} // namespace autokernel
