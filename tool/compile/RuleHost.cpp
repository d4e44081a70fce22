// Host code: an allow-list of statements, expressions and calls. Every host
// function is held to it, and a function for both sides where host code calls
// it, so that the launcher may be cut into functions, templates and lambdas.

#include "compile/RuleHostCheck.h"

using namespace llvm;
using namespace clang;

namespace autokernel {

void HostCheck::declarations(const DeclStmt &S) {
  for (const Decl *D : S.decls()) {
    auto *V = dyn_cast<VarDecl>(D);
    if (!V) {
      checkLocalDeclaration(C, *D);
      continue;
    }
    checkVariable(C, *V);
    QualType T = V->getType();
    if (V->needsDestruction(C.AST))
      C.report(RuleId::HostStatement, V->getLocation(),
               V->getName() + " has a destructor");
    if (T->isVariableArrayType())
      C.report(RuleId::HostStatement, V->getLocation(),
               V->getName() + " has a variable length");
    if (T->isFunctionPointerType() || T->isMemberPointerType() ||
        T->isFunctionReferenceType())
      C.report(RuleId::FunctionPointer, V->getLocation(),
               V->getName() + " is a function pointer");
    statement(V->getInit());
  }
}

void HostCheck::reference(const DeclRefExpr &E) {
  const ValueDecl *D = E.getDecl();
  if (isa<FunctionDecl>(D))
    return report(RuleId::FunctionPointer, E,
                  D->getNameAsString() + " is used as a value");
  if (isa<EnumConstantDecl, NonTypeTemplateParmDecl>(D))
    return;
  auto *V = dyn_cast<VarDecl>(D);
  if (V && (V->isLocalVarDeclOrParm() ||
            (C.isCandidate(V) && !V->hasAttr<CUDADeviceAttr>() &&
             !V->hasAttr<CUDAConstantAttr>() && !V->hasAttr<CUDASharedAttr>())))
    return;
  if (V && V->isConstexpr())
    return;
  report(RuleId::HostStatement, E, D->getNameAsString() + " is not the host's");
}

void HostCheck::member(const MemberExpr &E) {
  if (E.isArrow() && !isa<CXXThisExpr>(E.getBase()->IgnoreParenImpCasts()))
    report(RuleId::HostDereference, E, "-> reads through a pointer");
  if (!isa<CXXThisExpr>(E.getBase()->IgnoreParenImpCasts()))
    statement(E.getBase());
}

void HostCheck::subscript(const ArraySubscriptExpr &E) {
  const Expr *Base = E.getBase()->IgnoreParenImpCasts();
  if (!Base->getType()->isConstantArrayType())
    report(RuleId::HostDereference, E, "[] reads or writes through a pointer");
  statement(Base);
  statement(E.getIdx());
}

void HostCheck::unary(const UnaryOperator &E) {
  if (E.getOpcode() == UO_Deref)
    report(RuleId::HostDereference, E, "* reads or writes through a pointer");
  else if (E.getOpcode() == UO_AddrOf)
    report(RuleId::HostAddress, E, "& takes an address");
  children(E);
}

void HostCheck::binary(const BinaryOperator &E) {
  if (E.isPtrMemOp())
    report(RuleId::FunctionPointer, E, "a pointer to member");
  if (E.isAssignmentOp() && isStream(E.getLHS()->getType()))
    report(RuleId::Stream, E, "the stream is assigned to");
  children(E);
}

static bool isAllowedCast(CastKind K) {
  switch (K) {
  case CK_LValueToRValue:
  case CK_NoOp:
  case CK_IntegralCast:
  case CK_IntegralToBoolean:
  case CK_IntegralToFloating:
  case CK_FloatingCast:
  case CK_FloatingToIntegral:
  case CK_FloatingToBoolean:
  case CK_BooleanToSignedIntegral:
  case CK_PointerToBoolean:
  case CK_PointerToIntegral:
  case CK_BitCast:
  case CK_NullToPointer:
  case CK_ConstructorConversion:
  case CK_UserDefinedConversion:
  case CK_ToVoid:
    return true;
  default:
    return false;
  }
}

void HostCheck::cast(const CastExpr &E) {
  CastKind K = E.getCastKind();
  if (K == CK_ArrayToPointerDecay)
    report(RuleId::HostAddress, E, "an array of the host is passed on");
  else if (K == CK_FunctionToPointerDecay)
    ; // the reference below is judged
  else if (K == CK_IntegralToPointer) {
    if (!comesFromPointer(E.getSubExpr()))
      report(RuleId::MadePointer, E, "a pointer made from a number");
  } else if (!isAllowedCast(K))
    report(RuleId::HostStatement, E,
           Twine("a conversion (") + E.getCastKindName() + ")");
  if (isStream(E.getType()) && K != CK_LValueToRValue && K != CK_NoOp)
    report(RuleId::Stream, E, "a stream made from something else");
  children(E);
}

void HostCheck::initializers(const CXXConstructorDecl &Constructor) {
  for (const CXXCtorInitializer *I : Constructor.inits())
    statement(I->getInit());
}

void HostCheck::construct(const CXXConstructExpr &E) {
  const CXXConstructorDecl *Constructor = E.getConstructor();
  if (C.isCandidate(Constructor)) {
    if (!Constructor->isTrivial()) {
      reach(*Constructor);
      initializers(*Constructor);
    }
  } else if (!Constructor->isTrivial() &&
             Constructor->getParent()->getName() != "dim3") {
    report(RuleId::HostStatement, E,
           "an object of class " + Constructor->getParent()->getName());
  }
  for (const Expr *A : E.arguments())
    statement(A);
}

void HostCheck::lambda(const LambdaExpr &E) {
  for (const LambdaCapture &Capture : E.captures()) {
    bool Number = Capture.capturesVariable() && Capture.getCapturedVar()
                                                    ->getType()
                                                    .getNonReferenceType()
                                                    ->isArithmeticType();
    if (!Number)
      C.report(RuleId::HostStatement, Capture.getLocation(),
               "a lambda that captures something but numbers");
  }
  for (const FunctionDecl *Body : lambdaBodies(E)) {
    if (Body->hasAttr<CUDADeviceAttr>() &&
        !Body->getAttr<CUDADeviceAttr>()->isImplicit())
      report(RuleId::HostStatement, E, "a device lambda in host code");
    reach(*Body);
  }
}

/// What is fine if its parts are.
static bool isPlain(Stmt::StmtClass Class) {
  switch (Class) {
  // Structure.
  case Stmt::CompoundStmtClass:
  case Stmt::IfStmtClass:
  case Stmt::ForStmtClass:
  case Stmt::WhileStmtClass:
  case Stmt::DoStmtClass:
  case Stmt::SwitchStmtClass:
  case Stmt::CaseStmtClass:
  case Stmt::DefaultStmtClass:
  case Stmt::BreakStmtClass:
  case Stmt::ContinueStmtClass:
  case Stmt::ReturnStmtClass:
  case Stmt::NullStmtClass:
  case Stmt::GotoStmtClass:
  case Stmt::LabelStmtClass:
  // Values.
  case Stmt::IntegerLiteralClass:
  case Stmt::FloatingLiteralClass:
  case Stmt::CharacterLiteralClass:
  case Stmt::CXXBoolLiteralExprClass:
  case Stmt::CXXNullPtrLiteralExprClass:
  case Stmt::GNUNullExprClass:
  case Stmt::ParenExprClass:
  case Stmt::ConstantExprClass:
  case Stmt::ExprWithCleanupsClass:
  case Stmt::MaterializeTemporaryExprClass:
  case Stmt::SubstNonTypeTemplateParmExprClass:
  case Stmt::InitListExprClass:
  case Stmt::ImplicitValueInitExprClass:
  case Stmt::CXXScalarValueInitExprClass:
  case Stmt::CXXThisExprClass:
  case Stmt::ConditionalOperatorClass:
  case Stmt::AttributedStmtClass:
    return true;
  default:
    return false;
  }
}

void HostCheck::statement(const Stmt *S) {
  constexpr unsigned DeepEnough = 1000; // the walk's own stack
  if (!S)
    return;
  if (Depth > DeepEnough)
    return report(RuleId::HostStatement, *S, "code that is nested too deeply");
  ++Depth;
  if (isPlain(S->getStmtClass()))
    children(*S);
  else
    dispatch(*S);
  --Depth;
}

void HostCheck::dispatch(const Stmt &S) {
  switch (S.getStmtClass()) {
  case Stmt::CXXDefaultArgExprClass: {
    const auto &Default = llvm::cast<CXXDefaultArgExpr>(S);
    if (C.isCandidate(Default.getParam()))
      statement(Default.getExpr());
    return;
  }
  case Stmt::UnaryExprOrTypeTraitExprClass: // sizeof: not evaluated
  case Stmt::TypeTraitExprClass:
    return;
  case Stmt::CXXDefaultInitExprClass:
    return statement(llvm::cast<CXXDefaultInitExpr>(S).getExpr());
  case Stmt::DeclStmtClass:
    return declarations(llvm::cast<DeclStmt>(S));
  case Stmt::DeclRefExprClass:
    return reference(llvm::cast<DeclRefExpr>(S));
  case Stmt::MemberExprClass:
    return member(llvm::cast<MemberExpr>(S));
  case Stmt::ArraySubscriptExprClass:
    return subscript(llvm::cast<ArraySubscriptExpr>(S));
  case Stmt::UnaryOperatorClass:
    return unary(llvm::cast<UnaryOperator>(S));
  case Stmt::BinaryOperatorClass:
  case Stmt::CompoundAssignOperatorClass:
    return binary(llvm::cast<BinaryOperator>(S));
  case Stmt::ImplicitCastExprClass:
  case Stmt::CStyleCastExprClass:
  case Stmt::CXXFunctionalCastExprClass:
  case Stmt::CXXStaticCastExprClass:
  case Stmt::CXXReinterpretCastExprClass:
  case Stmt::CXXConstCastExprClass:
    return this->cast(llvm::cast<CastExpr>(S));
  case Stmt::CallExprClass:
  case Stmt::CXXMemberCallExprClass:
  case Stmt::CXXOperatorCallExprClass:
  case Stmt::CUDAKernelCallExprClass:
    return call(llvm::cast<CallExpr>(S));
  case Stmt::CXXConstructExprClass:
  case Stmt::CXXTemporaryObjectExprClass:
    return construct(llvm::cast<CXXConstructExpr>(S));
  case Stmt::LambdaExprClass:
    return lambda(llvm::cast<LambdaExpr>(S));
  // Refused by names of their own.
  case Stmt::CXXNewExprClass:
  case Stmt::CXXDeleteExprClass:
    report(RuleId::HostAllocation, S, "new or delete");
    return;
  case Stmt::GCCAsmStmtClass:
  case Stmt::MSAsmStmtClass:
    report(RuleId::InlineAssembly, S, "inline assembly in host code");
    return;
  default:
    report(RuleId::HostStatement, S,
           Twine("host code of kind ") + S.getStmtClassName());
  }
}

void checkHost(RuleContext &C) {
  SetVector<const FunctionDecl *> Reached;
  for (const FunctionDecl *F : C.Functions)
    if (!runsOnDevice(*F) || F == C.Launcher || F == C.Workspace)
      Reached.insert(F);
  SetVector<const FunctionDecl *> Pure;
  auto Check = [&](const FunctionDecl *F, bool IsPure) {
    HostCheck Checker(C, *F, IsPure, IsPure ? Pure : Reached);
    Checker.statement(F->getBody());
    if (auto *Constructor = dyn_cast<CXXConstructorDecl>(F))
      Checker.initializers(*Constructor);
  };
  if (C.Workspace && C.Workspace->hasBody())
    Pure.insert(C.Workspace);
  for (size_t I = 0; I < Pure.size(); ++I)
    Check(Pure[I], /*IsPure=*/true);
  for (size_t I = 0; I < Reached.size(); ++I)
    Check(Reached[I], /*IsPure=*/false);
}

} // namespace autokernel
