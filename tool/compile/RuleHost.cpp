// Host code: an allow-list of statements, expressions and calls. Every host
// function is held to it, and a function for both sides where host code calls
// it, so that the launcher may be cut into functions, templates and lambdas.

#include "compile/RuleContext.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace clang;

namespace autokernel {

namespace {
class HostCheck {
public:
  HostCheck(RuleContext &C, const FunctionDecl &F, bool Pure,
            SetVector<const FunctionDecl *> &Reached)
      : C(C), F(F), Pure(Pure), Reached(Reached) {}
  void statement(const Stmt *S);
  void initializers(const CXXConstructorDecl &Constructor);

private:
  void children(const Stmt &S) {
    for (const Stmt *Child : S.children())
      statement(Child);
  }
  void report(RuleId Id, const Stmt &S, const Twine &Message) {
    C.report(Id, S.getBeginLoc(), Message);
  }
  void declarations(const DeclStmt &S);
  void reference(const DeclRefExpr &E);
  void member(const MemberExpr &E);
  void subscript(const ArraySubscriptExpr &E);
  void unary(const UnaryOperator &E);
  void binary(const BinaryOperator &E);
  void cast(const CastExpr &E);
  void call(const CallExpr &E);
  void runtimeCall(const CallExpr &E, const FunctionDecl &Callee);
  void arguments(const CallExpr &E);
  void attributeCall(const CallExpr &E);
  void launch(const CUDAKernelCallExpr &E);
  void stream(const Expr *E);
  void construct(const CXXConstructExpr &E);
  void lambda(const LambdaExpr &E);
  bool isStream(QualType T) const;
  bool isOwnStream(const Expr *E) const;
  void reach(const FunctionDecl &Callee);

  RuleContext &C;
  const FunctionDecl &F;
  bool Pure; ///< the workspace function: no runtime calls, no pointers
  SetVector<const FunctionDecl *> &Reached;
};
} // namespace

static bool isAllowedRuntimeCall(StringRef Name) {
  return is_contained({"cudaMemsetAsync", "cudaMemcpyAsync",
                       "cudaFuncSetAttribute", "cudaGetLastError",
                       "cudaPeekAtLastError"},
                      Name);
}

/// Arithmetic without effects, in the global namespace and in std.
static bool isArithmeticFunction(const FunctionDecl &Callee) {
  static const StringSet<> Names = {"min",
                                    "max",
                                    "abs",
                                    "labs",
                                    "llabs",
                                    "fabs",
                                    "fabsf",
                                    "sqrt",
                                    "sqrtf",
                                    "rsqrt",
                                    "rsqrtf",
                                    "exp",
                                    "expf",
                                    "exp2",
                                    "exp2f",
                                    "log",
                                    "logf",
                                    "log2",
                                    "log2f",
                                    "pow",
                                    "powf",
                                    "floor",
                                    "floorf",
                                    "ceil",
                                    "ceilf",
                                    "fmin",
                                    "fminf",
                                    "fmax",
                                    "fmaxf",
                                    "__builtin_inff",
                                    "__builtin_huge_valf",
                                    "__builtin_huge_val",
                                    "__builtin_inf",
                                    "__builtin_nanf",
                                    "__builtin_nan"};
  return Callee.getIdentifier() && Names.contains(Callee.getName());
}

static RuleId ruleOfCall(StringRef Name) {
  if (Name.contains("Synchronize") || Name.contains("WaitEvent") ||
      Name.contains("Event"))
    return RuleId::HostSynchronisation;
  for (StringRef Part : {"alloc", "Alloc", "free", "Free", "MemPool"})
    if (Name.contains(Part))
      return RuleId::HostAllocation;
  return RuleId::HostCall;
}

bool HostCheck::isStream(QualType T) const {
  const FunctionDecl *E = C.Expected;
  if (!E || !E->getNumParams())
    return false;
  QualType Stream = E->getParamDecl(E->getNumParams() - 1)->getType();
  return C.AST.hasSameUnqualifiedType(T.getNonReferenceType(), Stream);
}

bool HostCheck::isOwnStream(const Expr *E) const {
  auto *R = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
  auto *P = R ? dyn_cast<ParmVarDecl>(R->getDecl()) : nullptr;
  return P && isStream(P->getType());
}

void HostCheck::stream(const Expr *E) {
  if (!E || !isOwnStream(E))
    C.report(RuleId::Stream, E ? E->getBeginLoc() : F.getLocation(),
             "not the stream that the launcher was given");
}

/// Candidate code that host code uses is held to the same rules.
void HostCheck::reach(const FunctionDecl &Callee) {
  const FunctionDecl *Body = Callee.getDefinition();
  if (!Body)
    return;
  C.Calls[&F].insert(Body);
  Reached.insert(Body);
}

void HostCheck::declarations(const DeclStmt &S) {
  for (const Decl *D : S.decls()) {
    if (auto *R = dyn_cast<CXXRecordDecl>(D))
      checkRecord(C, *R);
    auto *V = dyn_cast<VarDecl>(D);
    if (!V) {
      checkAttributes(C, *D);
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
  else if (K == CK_IntegralToPointer)
    report(RuleId::HostDereference, E, "a pointer made from a number");
  else if (!isAllowedCast(K))
    report(RuleId::HostStatement, E,
           Twine("a conversion (") + E.getCastKindName() + ")");
  if (isStream(E.getType()) && K != CK_LValueToRValue && K != CK_NoOp)
    report(RuleId::Stream, E, "a stream made from something else");
  children(E);
}

void HostCheck::arguments(const CallExpr &E) {
  for (unsigned I = 0; I < E.getNumArgs(); ++I) {
    const Expr *A = E.getArg(I);
    if (isStream(A->getType()))
      stream(A);
    else
      statement(A);
  }
}

/// The only place but a launch where a kernel is named.
void HostCheck::attributeCall(const CallExpr &E) {
  const Expr *First = E.getArg(0)->IgnoreParenCasts();
  if (auto *Address = dyn_cast<UnaryOperator>(First);
      Address && Address->getOpcode() == UO_AddrOf)
    First = Address->getSubExpr()->IgnoreParenCasts();
  auto *R = dyn_cast<DeclRefExpr>(First);
  if (!R || !R->getDecl()->hasAttr<CUDAGlobalAttr>())
    report(RuleId::FunctionPointer, E, "attributes of something but a kernel");
  for (unsigned I = 1; I < E.getNumArgs(); ++I)
    statement(E.getArg(I));
}

void HostCheck::runtimeCall(const CallExpr &E, const FunctionDecl &Callee) {
  std::string Name = Callee.getNameAsString();
  if (isArithmeticFunction(Callee))
    return arguments(E);
  if (Pure || !isAllowedRuntimeCall(Name)) {
    report(ruleOfCall(Name), E, "a call of " + Name);
    return;
  }
  if (Name == "cudaFuncSetAttribute")
    return attributeCall(E);
  arguments(E);
  if (!StringRef(Name).ends_with("Async"))
    return;
  if (Name == "cudaMemcpyAsync") {
    Expr::EvalResult Kind;
    constexpr int DeviceToDevice = 3;
    if (E.getNumArgs() < 4 || !E.getArg(3)->EvaluateAsInt(Kind, C.AST) ||
        Kind.Val.getInt() != DeviceToDevice)
      report(RuleId::MemcpyKind, E, "a copy that isn't device to device");
  }
  // The last parameter; its default would be the legacy stream.
  const Expr *Last = E.getNumArgs() ? E.getArg(E.getNumArgs() - 1) : nullptr;
  if (!Last || isa<CXXDefaultArgExpr>(Last) || !isStream(Last->getType()))
    report(RuleId::Stream, E, Name + " without the launcher's stream");
}

void HostCheck::launch(const CUDAKernelCallExpr &E) {
  const FunctionDecl *Kernel = E.getDirectCallee();
  if (Pure)
    report(RuleId::HostCall, E, "a launch in the workspace function");
  if (!Kernel || !Kernel->hasAttr<CUDAGlobalAttr>())
    report(RuleId::FunctionPointer, E, "a launch through a pointer");
  else if (!C.isCandidate(Kernel))
    report(RuleId::HostCall, E, "a launch of a kernel of somebody else");
  else if (const FunctionDecl *Body = Kernel->getDefinition())
    C.Calls[&F].insert(Body);
  const CallExpr *Config = E.getConfig();
  for (unsigned I = 0; I + 1 < Config->getNumArgs(); ++I)
    statement(Config->getArg(I));
  const Expr *Stream = Config->getNumArgs() == 4 ? Config->getArg(3) : nullptr;
  if (!Stream || isa<CXXDefaultArgExpr>(Stream) || !isOwnStream(Stream))
    report(RuleId::Stream, E, "a launch that is not on the launcher's stream");
  arguments(E);
}

void HostCheck::call(const CallExpr &E) {
  if (auto *Launch = dyn_cast<CUDAKernelCallExpr>(&E))
    return launch(*Launch);
  const FunctionDecl *Callee = E.getDirectCallee();
  if (!Callee) {
    report(RuleId::FunctionPointer, E, "a call through a pointer");
    return children(E);
  }
  if (!C.isCandidate(Callee))
    return runtimeCall(E, *Callee);
  if (auto *Member = dyn_cast<CXXMemberCallExpr>(&E))
    statement(Member->getImplicitObjectArgument());
  reach(*Callee);
  arguments(E);
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

void HostCheck::statement(const Stmt *S) {
  if (!S)
    return;
  switch (S->getStmtClass()) {
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
    return children(*S);
  case Stmt::CXXDefaultArgExprClass: {
    const auto *Default = llvm::cast<CXXDefaultArgExpr>(S);
    if (C.isCandidate(Default->getParam()))
      statement(Default->getExpr());
    return;
  }
  case Stmt::UnaryExprOrTypeTraitExprClass: // sizeof: not evaluated
  case Stmt::TypeTraitExprClass:
    return;
  case Stmt::AttributedStmtClass:
    return children(*S);
  case Stmt::CXXDefaultInitExprClass:
    return statement(llvm::cast<CXXDefaultInitExpr>(S)->getExpr());
  case Stmt::DeclStmtClass:
    return declarations(*llvm::cast<DeclStmt>(S));
  case Stmt::DeclRefExprClass:
    return reference(*llvm::cast<DeclRefExpr>(S));
  case Stmt::MemberExprClass:
    return member(*llvm::cast<MemberExpr>(S));
  case Stmt::ArraySubscriptExprClass:
    return subscript(*llvm::cast<ArraySubscriptExpr>(S));
  case Stmt::UnaryOperatorClass:
    return unary(*llvm::cast<UnaryOperator>(S));
  case Stmt::BinaryOperatorClass:
  case Stmt::CompoundAssignOperatorClass:
    return binary(*llvm::cast<BinaryOperator>(S));
  case Stmt::ImplicitCastExprClass:
  case Stmt::CStyleCastExprClass:
  case Stmt::CXXFunctionalCastExprClass:
  case Stmt::CXXStaticCastExprClass:
  case Stmt::CXXReinterpretCastExprClass:
  case Stmt::CXXConstCastExprClass:
    return this->cast(*llvm::cast<CastExpr>(S));
  case Stmt::CallExprClass:
  case Stmt::CXXMemberCallExprClass:
  case Stmt::CXXOperatorCallExprClass:
  case Stmt::CUDAKernelCallExprClass:
    return call(*llvm::cast<CallExpr>(S));
  case Stmt::CXXConstructExprClass:
  case Stmt::CXXTemporaryObjectExprClass:
    return construct(*llvm::cast<CXXConstructExpr>(S));
  case Stmt::LambdaExprClass:
    return lambda(*llvm::cast<LambdaExpr>(S));
  // Refused by names of their own.
  case Stmt::CXXNewExprClass:
  case Stmt::CXXDeleteExprClass:
    report(RuleId::HostAllocation, *S, "new or delete");
    return;
  case Stmt::GCCAsmStmtClass:
  case Stmt::MSAsmStmtClass:
    report(RuleId::InlineAssembly, *S, "inline assembly in host code");
    return;
  default:
    report(RuleId::HostStatement, *S,
           Twine("host code of kind ") + S->getStmtClassName());
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
