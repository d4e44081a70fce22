// Device code: everything but a short list of things.

#include "compile/RuleContext.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/Support/Regex.h"

using namespace llvm;
using namespace clang;

namespace autokernel {

namespace {
class DeviceCheck {
public:
  DeviceCheck(RuleContext &C, const FunctionDecl &F) : C(C), F(F) {}
  void statement(const Stmt *S);

private:
  void call(const CallExpr &Call);
  void libraryCall(const CallExpr &Call, const FunctionDecl &Callee);
  void declarations(const DeclStmt &S);
  void cast(const CastExpr &Cast);
  void assembly(const AsmStmt &S);
  void attributes(const AttributedStmt &S);
  void judge(const Stmt &Statement);
  RuleContext &C;
  const FunctionDecl &F;
  unsigned Depth = 0;
};
} // namespace

static bool isAllowedBuiltin(StringRef Name) {
  return is_contained({"__builtin_assume", "__builtin_expect",
                       "__builtin_assume_aligned", "__builtin_unreachable"},
                      Name);
}

void DeviceCheck::libraryCall(const CallExpr &Call,
                              const FunctionDecl &Callee) {
  std::string Name = Callee.getNameAsString();
  SourceLocation At = Call.getBeginLoc();
  static const Regex Allocates("^(malloc|calloc|realloc|free|alloca|"
                               "__builtin_alloca.*|operator (new|delete).*)$");
  static const Regex Escapes(
      "^(v?printf|fprintf|sn?printf|puts|putchar|exit|abort|__assert.*|"
      "__ak_stop|__trap|__brkpt|clock|clock64|__nanosleep|nanosleep|"
      "__prof_trigger|__globaltimer.*|__builtin_(debug)?trap)$");
  if (Allocates.match(Name))
    return C.report(RuleId::DeviceAllocation, At, "a call of " + Name);
  if (Escapes.match(Name))
    return C.report(RuleId::DeviceCall, At, "a call of " + Name);
  if (StringRef(Name).starts_with("cuda"))
    return C.report(RuleId::DynamicParallelism, At,
                    "a call of " + Name + " in device code");
  // Those that headers' macros expand to are the headers' affair.
  bool Own = C.isCandidate(C.SM.getSpellingLoc(At));
  if (Own && StringRef(Name).starts_with("__builtin_") &&
      !isAllowedBuiltin(Name))
    C.report(RuleId::Builtin, At, "a call of " + Name);
}

void DeviceCheck::call(const CallExpr &Call) {
  if (isa<CUDAKernelCallExpr>(Call))
    return C.report(RuleId::DynamicParallelism, Call.getBeginLoc(),
                    "a kernel launch in device code");
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee) {
    bool Resolved = !Call.isTypeDependent() && !Call.isValueDependent() &&
                    !isa<CXXPseudoDestructorExpr>(Call.getCallee());
    if (Resolved)
      C.report(RuleId::FunctionPointer, Call.getBeginLoc(),
               "a call through a pointer");
    return;
  }
  if (const FunctionDecl *Body = Callee->getDefinition();
      Body && C.isCandidate(Body)) {
    C.Calls[&F].insert(Body);
    return;
  }
  libraryCall(Call, *Callee);
}

void DeviceCheck::declarations(const DeclStmt &S) {
  for (const Decl *D : S.decls()) {
    if (auto *V = dyn_cast<VarDecl>(D))
      checkVariable(C, *V);
    else
      checkLocalDeclaration(C, *D);
  }
}

static bool comesFromPointer(const Stmt *S, unsigned &Budget) {
  if (!S || !Budget) // `size_t a = a + a` would go on for ever
    return false;
  --Budget;
  if (auto *Cast = dyn_cast<CastExpr>(S);
      Cast && Cast->getCastKind() == CK_PointerToIntegral)
    return true;
  if (auto *R = dyn_cast<DeclRefExpr>(S))
    if (auto *V = dyn_cast<VarDecl>(R->getDecl()); V && V->isLocalVarDecl())
      return comesFromPointer(V->getInit(), Budget);
  return any_of(S->children(), [&](const Stmt *Child) {
    return comesFromPointer(Child, Budget);
  });
}

bool comesFromPointer(const Stmt *S) {
  unsigned Budget = 1000;
  return comesFromPointer(S, Budget);
}

/// Tables in global memory could keep state if their constness could go.
void DeviceCheck::cast(const CastExpr &Cast) {
  if (Cast.getCastKind() == CK_IntegralToPointer &&
      !comesFromPointer(Cast.getSubExpr()))
    C.report(RuleId::MadePointer, Cast.getBeginLoc(),
             "a pointer made from a number");
  QualType From = Cast.getSubExpr()->getType()->getPointeeType();
  QualType To = Cast.getType()->getPointeeType();
  if (Cast.isGLValue() && isa<ExplicitCastExpr>(Cast)) {
    From = Cast.getSubExpr()->getType();
    To = Cast.getType();
  }
  bool Drops = !From.isNull() && !To.isNull() && From.isConstQualified() &&
               !To.isConstQualified();
  bool Launders = Cast.getCastKind() == CK_IntegralToPointer && !To.isNull() &&
                  !To.isConstQualified();
  if (C.HasTables && (Drops || Launders))
    C.report(RuleId::ConstCast, Cast.getBeginLoc(), "a cast that drops const");
}

void DeviceCheck::assembly(const AsmStmt &S) {
  std::string Text;
  if (auto *Gcc = dyn_cast<GCCAsmStmt>(&S))
    Text = Gcc->getAsmString();
  static const Regex Escapes("clock|globaltimer|trap|brkpt|exit|call|nanosleep|"
                             "pmevent|%smid|%envreg|alloca");
  if (!C.Request.AllowInlineAssembly || !isa<GCCAsmStmt>(S) ||
      Escapes.match(Text))
    C.report(RuleId::InlineAssembly, S.getBeginLoc(), "inline assembly");
}

void DeviceCheck::attributes(const AttributedStmt &S) {
  for (const Attr *A : S.getAttrs())
    if (!isa<LoopHintAttr, FallThroughAttr, LikelyAttr, UnlikelyAttr>(A))
      C.report(RuleId::Attribute, A->getLocation(),
               Twine("attribute ") + A->getSpelling());
}

void DeviceCheck::statement(const Stmt *S) {
  constexpr unsigned DeepEnough = 1000; // the walk's own stack
  if (!S)
    return;
  if (Depth > DeepEnough)
    return C.report(RuleId::DeviceCall, S->getBeginLoc(),
                    "code that is nested too deeply");
  ++Depth;
  judge(*S);
  --Depth;
}

void DeviceCheck::judge(const Stmt &Statement) {
  const Stmt *S = &Statement;
  SourceLocation At = S->getBeginLoc();
  if (auto *Call = dyn_cast<CallExpr>(S))
    call(*Call);
  else if (auto *Construct = dyn_cast<CXXConstructExpr>(S)) {
    if (C.isCandidate(Construct->getConstructor()))
      C.Calls[&F].insert(Construct->getConstructor());
  } else if (isa<CXXNewExpr, CXXDeleteExpr>(S)) {
    C.report(RuleId::DeviceAllocation, At, "new or delete in device code");
  } else if (isa<CXXThrowExpr, CXXTryStmt, CXXTypeidExpr, CXXDynamicCastExpr>(
                 S))
    C.report(RuleId::DeviceCall, At, "exceptions or run-time types");
  else if (isa<PredefinedExpr, SourceLocExpr>(S))
    C.report(RuleId::Macro, At, "the name or place of the code");
  else if (isa<AddrLabelExpr, IndirectGotoStmt>(S))
    C.report(RuleId::FunctionPointer, At, "a computed goto");
  else if (auto *Asm = dyn_cast<AsmStmt>(S))
    assembly(*Asm);
  else if (auto *D = dyn_cast<DeclStmt>(S))
    declarations(*D);
  else if (auto *Cast = dyn_cast<CastExpr>(S))
    cast(*Cast);
  else if (auto *Attributed = dyn_cast<AttributedStmt>(S))
    attributes(*Attributed);
  else if (auto *Lambda = dyn_cast<LambdaExpr>(S)) {
    for (const FunctionDecl *Body : lambdaBodies(*Lambda)) {
      C.Calls[&F].insert(Body);
      DeviceCheck(C, *Body).statement(Body->getBody());
    }
  }
  if (auto *Default = dyn_cast<CXXDefaultInitExpr>(S))
    return statement(Default->getExpr());
  if (isa<LambdaExpr>(S)) {
    for (const Expr *Capture : llvm::cast<LambdaExpr>(S)->capture_inits())
      statement(Capture);
    return;
  }
  for (const Stmt *Child : S->children())
    statement(Child);
}

static void checkBodies(RuleContext &C) {
  for (const FunctionDecl *F : C.Functions) {
    if (!runsOnDevice(*F))
      continue;
    DeviceCheck Check(C, *F);
    Check.statement(F->getBody());
    if (auto *Constructor = dyn_cast<CXXConstructorDecl>(F))
      for (const CXXCtorInitializer *I : Constructor->inits())
        Check.statement(I->getInit());
  }
}

void checkDevice(RuleContext &C) {
  bool Known = C.HasTables;
  checkBodies(C);
  if (C.HasTables != Known) // a table in a function: judge all casts again
    checkBodies(C);
}

} // namespace autokernel
