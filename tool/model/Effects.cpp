#include "model/Effects.h"

#include "model/MathCalls.h"
#include "model/Normalise.h"
#include "scan/Algorithms.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace autokernel {

namespace {

const Expr *stripped(const Expr *e) { return e->IgnoreParenCasts(); }

/// The variable or field that an assignment to `target` changes; null: memory
/// behind a pointer.
const ValueDecl *changedBy(const Expr *target) {
  for (const Expr *e = stripped(target);;) {
    if (const auto *ref = dyn_cast<DeclRefExpr>(e))
      return ref->getDecl();
    if (const auto *member = dyn_cast<MemberExpr>(e)) {
      if (member->isArrow() || isa<CXXThisExpr>(stripped(member->getBase())))
        return member->getMemberDecl();
      e = stripped(member->getBase());
    } else if (const auto *s = dyn_cast<ArraySubscriptExpr>(e)) {
      if (!stripped(s->getBase())->getType()->isArrayType())
        return nullptr;
      e = stripped(s->getBase());
    } else {
      return nullptr;
    }
  }
}

bool isContainerAccess(const CallExpr *call) {
  const auto *method = dyn_cast_or_null<CXXMethodDecl>(call->getDirectCallee());
  if (!method)
    return false;
  const ASTContext &context = method->getASTContext();
  if (!containerOf(context, context.getCanonicalTagType(method->getParent())))
    return false;
  if (isa<CXXOperatorCallExpr>(call))
    return cast<CXXOperatorCallExpr>(call)->getOperator() == OO_Subscript;
  static const std::set<std::string> names = {
      "size", "data", "get", "begin", "end", "cbegin", "cend", "empty"};
  return names.count(method->getNameAsString());
}

/// Looks for changes of what lives longer than `function`; without one, of
/// anything.
class Changes : public RecursiveASTVisitor<Changes> {
public:
  Changes(const FunctionDecl *function, std::set<const FunctionDecl *> &seen)
      : function(function), seen(seen) {}
  bool found = false;

  bool VisitBinaryOperator(BinaryOperator *e) {
    return e->isAssignmentOp() ? changes(e->getLHS()) : true;
  }
  bool VisitUnaryOperator(UnaryOperator *e) {
    return e->isIncrementDecrementOp() ? changes(e->getSubExpr()) : true;
  }
  bool VisitCallExpr(CallExpr *call) {
    if (resolveMathCall(call) || isContainerAccess(call) || isFold(call))
      return true;
    const FunctionDecl *callee = call->getDirectCallee(), *body = nullptr;
    if (!callee || !callee->hasBody(body))
      return fail();
    if (!seen.insert(body).second)
      return true;
    Changes inner(body, seen);
    inner.TraverseStmt(body->getBody());
    return inner.found ? fail() : true;
  }
  bool VisitCXXNewExpr(CXXNewExpr *) { return fail(); }
  bool VisitCXXDeleteExpr(CXXDeleteExpr *) { return fail(); }
  bool VisitCXXThrowExpr(CXXThrowExpr *) { return fail(); }
  bool VisitGCCAsmStmt(GCCAsmStmt *) { return fail(); }
  bool VisitLambdaExpr(LambdaExpr *) { return true; }
  bool TraverseLambdaExpr(LambdaExpr *) { return true; } // runs when called

private:
  bool fail() {
    found = true;
    return false;
  }
  bool changes(const Expr *target) {
    const auto *v = dyn_cast_or_null<VarDecl>(changedBy(target));
    bool isOwn = function && v && v->hasLocalStorage() &&
                 !v->getType()->isReferenceType() &&
                 v->getParentFunctionOrMethod() == function;
    return isOwn ? true : fail();
  }

  const FunctionDecl *function;
  std::set<const FunctionDecl *> &seen;
};

class Calls : public RecursiveASTVisitor<Calls> {
public:
  std::set<const FunctionDecl *> called;
  bool VisitCallExpr(CallExpr *call) {
    const FunctionDecl *callee = call->getDirectCallee(), *body = nullptr;
    if (callee && callee->hasBody(body) && called.insert(body).second)
      TraverseStmt(body->getBody());
    return true;
  }
};

class Mentions : public RecursiveASTVisitor<Mentions> {
public:
  std::set<const ValueDecl *> assigned, exposed, named;
  bool VisitBinaryOperator(BinaryOperator *e) {
    return e->isAssignmentOp() ? mark(e->getLHS()) : true;
  }
  bool VisitUnaryOperator(UnaryOperator *e) {
    bool changes = e->isIncrementDecrementOp() || e->getOpcode() == UO_AddrOf;
    return changes ? mark(e->getSubExpr()) : true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *e) {
    return e->isAssignmentOp() ? mark(e->getArg(0)) : true;
  }
  bool VisitCallExpr(CallExpr *call) {
    const FunctionDecl *callee = call->getDirectCallee();
    unsigned skipped = isa<CXXOperatorCallExpr>(call) &&
                       isa_and_nonnull<CXXMethodDecl>(callee);
    for (unsigned i = 0; callee && i < callee->getNumParams(); ++i)
      if (isMutableReference(callee->getParamDecl(i)->getType()) &&
          i + skipped < call->getNumArgs())
        expose(call->getArg(i + skipped));
    return true;
  }
  bool VisitVarDecl(VarDecl *v) {
    if (isMutableReference(v->getType()) && v->getInit())
      expose(v->getInit());
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *e) {
    for (const LambdaCapture &capture : e->captures())
      if (capture.capturesVariable() && capture.getCaptureKind() == LCK_ByRef)
        exposed.insert(capture.getCapturedVar());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *e) {
    named.insert(e->getDecl());
    return true;
  }
  bool VisitMemberExpr(MemberExpr *e) {
    named.insert(e->getMemberDecl());
    return true;
  }

private:
  static bool isMutableReference(QualType type) {
    return type->isReferenceType() &&
           !type.getNonReferenceType().isConstQualified();
  }
  void expose(const Expr *target) {
    mark(target);
    if (const ValueDecl *v = changedBy(target))
      exposed.insert(v);
  }
  bool mark(const Expr *target) {
    if (const ValueDecl *v = changedBy(target))
      assigned.insert(v);
    return true;
  }
};

Mentions mentionsOf(const Stmt *s) {
  Mentions mentions;
  if (s)
    mentions.TraverseStmt(const_cast<Stmt *>(s));
  return mentions;
}

} // namespace

bool changesSomething(const Stmt *s) {
  std::set<const FunctionDecl *> seen;
  Changes changes(nullptr, seen);
  changes.TraverseStmt(const_cast<Stmt *>(s));
  return changes.found;
}

bool isPure(const FunctionDecl *function) {
  if (!function->hasBody(function))
    return false;
  std::set<const FunctionDecl *> seen{function};
  Changes changes(function, seen);
  changes.TraverseStmt(function->getBody());
  return !changes.found;
}

bool callsItself(const FunctionDecl *function) {
  if (!function->hasBody(function))
    return false;
  Calls calls;
  calls.TraverseStmt(function->getBody());
  return calls.called.count(function);
}

std::set<const ValueDecl *> assignedIn(const Stmt *s) {
  return mentionsOf(s).assigned;
}

std::set<const ValueDecl *> exposedIn(const Stmt *s) {
  return mentionsOf(s).exposed;
}

std::set<const ValueDecl *> namedIn(const Stmt *s) {
  return mentionsOf(s).named;
}

} // namespace autokernel
