// Private to the rule checker: the walk over one host function. Statements and
// expressions are in RuleHost.cpp, calls, launches and streams in
// RuleHostCalls.cpp.
#ifndef AUTOKERNEL_COMPILE_RULEHOSTCHECK_H
#define AUTOKERNEL_COMPILE_RULEHOSTCHECK_H

#include "compile/RuleContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

namespace autokernel {

class HostCheck {
public:
  HostCheck(RuleContext &C, const clang::FunctionDecl &F, bool Pure,
            llvm::SetVector<const clang::FunctionDecl *> &Reached)
      : C(C), F(F), Pure(Pure), Reached(Reached) {}
  void statement(const clang::Stmt *S);
  void initializers(const clang::CXXConstructorDecl &Constructor);

private:
  void children(const clang::Stmt &S) {
    for (const clang::Stmt *Child : S.children())
      statement(Child);
  }
  void report(RuleId Id, const clang::Stmt &S, const llvm::Twine &Message) {
    C.report(Id, S.getBeginLoc(), Message);
  }
  void declarations(const clang::DeclStmt &S);
  void reference(const clang::DeclRefExpr &E);
  void member(const clang::MemberExpr &E);
  void subscript(const clang::ArraySubscriptExpr &E);
  void unary(const clang::UnaryOperator &E);
  void binary(const clang::BinaryOperator &E);
  void cast(const clang::CastExpr &E);
  void call(const clang::CallExpr &E);
  void runtimeCall(const clang::CallExpr &E, const clang::FunctionDecl &Callee);
  void arguments(const clang::CallExpr &E);
  void attributeCall(const clang::CallExpr &E);
  void launch(const clang::CUDAKernelCallExpr &E);
  void stream(const clang::Expr *E);
  void construct(const clang::CXXConstructExpr &E);
  void lambda(const clang::LambdaExpr &E);
  bool isStream(clang::QualType T) const;
  bool isOwnStream(const clang::Expr *E) const;
  void reach(const clang::FunctionDecl &Callee);
  void dispatch(const clang::Stmt &S);

  RuleContext &C;
  const clang::FunctionDecl &F;
  unsigned Depth = 0;
  bool Pure; ///< the workspace function: no runtime calls, no pointers
  llvm::SetVector<const clang::FunctionDecl *> &Reached;
};

} // namespace autokernel

#endif
