// What host code may call and launch, and on which stream.

#include "compile/RuleHostCheck.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace clang;

namespace autokernel {

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
  return Callee.getIdentifier() && (Names.contains(Callee.getName()) ||
                                    Callee.getName().starts_with("make_"));
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
  if (!Callee->getDefinition())
    report(RuleId::HostCall, E,
           "a call of " + Callee->getNameAsString() + ", which has no body");
  reach(*Callee);
  arguments(E);
}

} // namespace autokernel
