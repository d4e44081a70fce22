// What may stand at namespace or class scope.

#include "compile/RuleContext.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DeclTemplate.h"

using namespace llvm;
using namespace clang;

namespace autokernel {

SmallVector<const FunctionDecl *, 2> lambdaBodies(const LambdaExpr &L) {
  SmallVector<const FunctionDecl *, 2> Result;
  if (FunctionTemplateDecl *T = L.getDependentCallOperator())
    append_range(Result, T->specializations());
  else
    Result.push_back(L.getCallOperator());
  return Result;
}

static bool isAllowedAttribute(attr::Kind K) {
  switch (K) {
  case attr::CUDAGlobal:
  case attr::CUDADevice:
  case attr::CUDAHost:
  case attr::CUDAShared:
  case attr::CUDAConstant:
  case attr::CUDALaunchBounds:
  case attr::CUDAGridConstant:
  case attr::CUDAClusterDims:
  case attr::AlwaysInline:
  case attr::NoInline:
  case attr::Aligned:
  case attr::Packed:
  case attr::Unused:
  case attr::WarnUnusedResult:
  case attr::Const:
  case attr::Pure:
  case attr::NoThrow:
  case attr::Final:
  case attr::Override:
  case attr::HIPManaged: // the state rule says it better
    return true;
  default:
    return false;
  }
}

void checkAttributes(RuleContext &C, const Decl &D) {
  for (const Attr *A : D.attrs())
    if (!A->isImplicit() && !isAllowedAttribute(A->getKind()))
      C.report(RuleId::Attribute, A->getLocation(),
               Twine("attribute ") + A->getSpelling());
}

static bool isReservedName(const NamedDecl &D) {
  StringRef Name = D.getIdentifier() ? D.getName() : "";
  return Name.starts_with("__") || Name.starts_with("AK_") ||
         (Name.size() > 1 && Name[0] == '_' && isUppercase(Name[1]));
}

static bool hasMutableState(QualType T) {
  const CXXRecordDecl *R = T->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  return R && R->hasDefinition() &&
         (R->hasMutableFields() || R->isPolymorphic());
}

static bool isConstant(const RuleContext &C, const VarDecl &V) {
  return C.AST.getBaseElementType(V.getType()).isConstQualified() &&
         !V.getType().isVolatileQualified() && !hasMutableState(V.getType());
}

/// In global memory, which a kernel could write to by some detour.
static bool isInGlobalMemory(const VarDecl &V) {
  if (const auto *A = V.getAttr<CUDADeviceAttr>(); A && !A->isImplicit())
    return !V.hasAttr<CUDAConstantAttr>();
  const auto *F = dyn_cast<FunctionDecl>(V.getDeclContext());
  return F && runsOnDevice(*F) && !V.hasAttr<CUDAConstantAttr>();
}

static void checkTable(RuleContext &C, const VarDecl &V) {
  QualType T = V.getType();
  bool IsTable = T->isArrayType() || T->isRecordType();
  if (IsTable && isInGlobalMemory(V))
    C.report(RuleId::State, V.getLocation(),
             V.getName() + " is in global memory: make it __constant__ const "
                           "in the namespace");
  C.HasTables |= IsTable || isInGlobalMemory(V);
  if (T->isDependentType() || V.isTemplated())
    return;
  const Expr *Init = V.getAnyInitializer();
  if (Init && Init->isValueDependent())
    return;
  if (!V.isConstexpr() && !(Init && V.hasConstantInitialization()))
    C.report(RuleId::Initializer, V.getLocation(),
             V.getName() + " is not initialised at compile time");
  else if (V.needsDestruction(C.AST))
    C.report(RuleId::Initializer, V.getLocation(),
             V.getName() + " has a destructor");
}

void checkVariable(RuleContext &C, const VarDecl &V) {
  checkAttributes(C, V);
  if (!V.hasGlobalStorage())
    return;
  if (V.hasAttr<CUDASharedAttr>()) {
    bool AtNamespaceScope =
        !V.isStaticLocal() && !V.isLocalVarDecl() && !V.isLocalExternDecl();
    if (AtNamespaceScope && !V.hasExternalStorage())
      C.report(RuleId::State, V.getLocation(),
               V.getName() + ": shared memory belongs into a kernel");
    return;
  }
  if (V.isExternC())
    return C.report(RuleId::ExternC, V.getLocation(),
                    V.getName() + " is an extern \"C\" variable");
  if (V.getTSCSpec() != TSCS_unspecified || !isConstant(C, V) ||
      V.hasAttr<HIPManagedAttr>())
    return C.report(RuleId::State, V.getLocation(),
                    V.getName() + " outlives a call");
  if (V.isStaticDataMember() && !V.isThisDeclarationADefinition())
    return; // an in-class declaration; its definition is judged
  if (!V.isThisDeclarationADefinition())
    return C.report(RuleId::Declaration, V.getLocation(),
                    V.getName() + " is declared and not defined");
  checkTable(C, V);
}

namespace {
class DeclarationCheck {
public:
  explicit DeclarationCheck(RuleContext &C) : C(C) {}
  void visit(const Decl &D);
  void record(const CXXRecordDecl &R);

private:
  void scope(const NamedDecl &D, const Twine &What);
  void nameSpace(const NamespaceDecl &N);
  void function(const FunctionDecl &F);
  void entry(const FunctionDecl &F);
  void variable(const VarDecl &V);
  template <class T> void members(const T &Context) {
    for (const Decl *D : Context.decls())
      visit(*D);
  }
  RuleContext &C;
};
} // namespace

void DeclarationCheck::scope(const NamedDecl &D, const Twine &What) {
  if (isReservedName(D))
    C.report(RuleId::ReservedName, D.getLocation(),
             D.getName() + " is a reserved name");
  if (D.getDeclContext()->getRedeclContext()->isTranslationUnit())
    C.report(RuleId::Scope, D.getLocation(), What + " is outside a namespace");
}

void DeclarationCheck::nameSpace(const NamespaceDecl &N) {
  StringRef Name = N.getIdentifier() ? N.getName() : "";
  if (is_contained(
          {"std", "cuda", "cooperative_groups", "nvcuda", "cub", "thrust"},
          Name) ||
      isReservedName(N))
    C.report(RuleId::Namespace, N.getLocation(),
             "namespace " + Name + " belongs to a library");
  members(N);
}

static bool sameParameters(const RuleContext &C, const FunctionDecl &F) {
  if (!C.Expected || F.isVariadic() ||
      F.getNumParams() != C.Expected->getNumParams() ||
      !C.AST.hasSameType(F.getReturnType(), C.Expected->getReturnType()))
    return false;
  for (unsigned I = 0; I < F.getNumParams(); ++I)
    if (!C.AST.hasSameUnqualifiedType(F.getParamDecl(I)->getType(),
                                      C.Expected->getParamDecl(I)->getType()))
      return false;
  return true;
}

/// Parameters bind by place: a contract's name in another place is a mix-up.
static bool sameNames(const RuleContext &C, const FunctionDecl &F) {
  const std::vector<RuleParameter> &Wanted = C.Request.Parameters;
  for (unsigned I = 0; I < Wanted.size(); ++I)
    for (unsigned K = 0; K < Wanted.size(); ++K)
      if (I != K && !Wanted[K].Name.empty() &&
          F.getParamDecl(I)->getName() == Wanted[K].Name)
        return false;
  return true;
}

static bool isWorkspaceFunction(const FunctionDecl &F) {
  const auto *Result = F.getReturnType()->getAs<BuiltinType>();
  return Result && F.getReturnType()->isUnsignedIntegerType() &&
         F.getASTContext().getTypeSize(F.getReturnType()) == 64 &&
         !F.isVariadic() && all_of(F.parameters(), [](const ParmVarDecl *P) {
           return P->getType()->isArithmeticType();
         });
}

/// The launcher or its workspace function.
void DeclarationCheck::entry(const FunctionDecl &F) {
  if (F.getName() == C.Request.Launcher) {
    if (!sameParameters(C, F))
      C.report(RuleId::LauncherSignature, F.getLocation(),
               "the launcher's type is not the contract's");
    else if (!sameNames(C, F))
      C.report(RuleId::LauncherSignature, F.getLocation(),
               "the launcher's parameters are in another order");
    if (F.doesThisDeclarationHaveABody())
      C.Launcher = &F;
    return;
  }
  if (!isWorkspaceFunction(F))
    C.report(RuleId::WorkspaceSignature, F.getLocation(),
             F.getName() + " does not take numbers and return size_t");
  C.Workspace = &F;
}

void DeclarationCheck::function(const FunctionDecl &F) {
  if (F.isImplicit())
    return;
  checkAttributes(C, F);
  for (const ParmVarDecl *P : F.parameters())
    checkAttributes(C, *P);
  StringRef Name = F.getIdentifier() ? F.getName() : "";
  bool IsEntry = F.isExternC() && (Name == C.Request.Launcher ||
                                   Name == C.Request.Launcher + "_workspace");
  if (IsEntry)
    entry(F);
  else if (F.isExternC())
    C.report(RuleId::ExternC, F.getLocation(), Name + " is extern \"C\"");
  else if (!isa<CXXMethodDecl>(F))
    scope(F, F.getNameAsString());
  if (!C.isCandidate(F.getFirstDecl()))
    C.report(RuleId::Declaration, F.getLocation(),
             F.getNameAsString() + " is a library's");
  if (F.isReplaceableGlobalAllocationFunction() || F.isMain())
    C.report(RuleId::Declaration, F.getLocation(),
             F.getNameAsString() + " replaces the program's");
  if (F.isVariadic())
    C.report(RuleId::Declaration, F.getLocation(),
             F.getNameAsString() + " takes a variable argument list");
  const auto *Method = dyn_cast<CXXMethodDecl>(&F);
  if (Method && Method->isVirtual())
    C.report(RuleId::Virtual, F.getLocation(),
             F.getNameAsString() + " is virtual");
  const FunctionDecl *Pattern = F.getTemplateInstantiationPattern();
  const FunctionDecl &Written = Pattern ? *Pattern : F;
  if (!Written.isDefined() && !F.isDeleted() && !F.isDefaulted())
    C.report(RuleId::Declaration, F.getLocation(),
             F.getNameAsString() + " has no body");
  if (F.doesThisDeclarationHaveABody() && !F.isTemplated() && !F.isDefaulted())
    C.Functions.insert(&F);
}

void DeclarationCheck::variable(const VarDecl &V) {
  checkVariable(C, V);
  if (!V.isStaticDataMember())
    scope(V, V.getName());
}

void DeclarationCheck::record(const CXXRecordDecl &R) {
  checkAttributes(C, R);
  if (R.isThisDeclarationADefinition() && R.getNumVBases())
    C.report(RuleId::Virtual, R.getLocation(),
             R.getNameAsString() + " has a virtual base");
  members(R);
}

void DeclarationCheck::visit(const Decl &D) {
  if (D.isImplicit() || !C.isCandidate(&D))
    return;
  switch (D.getKind()) {
  case Decl::Namespace:
    return nameSpace(cast<NamespaceDecl>(D));
  case Decl::LinkageSpec:
    return members(cast<LinkageSpecDecl>(D));
  case Decl::Function:
  case Decl::CXXMethod:
  case Decl::CXXConstructor:
  case Decl::CXXDestructor:
  case Decl::CXXConversion:
    return function(cast<FunctionDecl>(D));
  case Decl::FunctionTemplate: {
    auto &T = cast<FunctionTemplateDecl>(D);
    function(*T.getTemplatedDecl());
    for (const FunctionDecl *F : T.specializations())
      function(*F);
    return;
  }
  case Decl::Var:
  case Decl::VarTemplateSpecialization:
  case Decl::VarTemplatePartialSpecialization:
    return variable(cast<VarDecl>(D));
  case Decl::VarTemplate: {
    auto &T = cast<VarTemplateDecl>(D);
    variable(*T.getTemplatedDecl());
    for (const VarTemplateSpecializationDecl *V : T.specializations())
      variable(*V);
    return;
  }
  case Decl::CXXRecord:
    if (!cast<CXXRecordDecl>(D).isInjectedClassName())
      scope(cast<NamedDecl>(D), "a class");
    return record(cast<CXXRecordDecl>(D));
  case Decl::ClassTemplateSpecialization:
  case Decl::ClassTemplatePartialSpecialization:
    return record(cast<CXXRecordDecl>(D));
  case Decl::ClassTemplate: {
    auto &T = cast<ClassTemplateDecl>(D);
    scope(T, "a class template");
    record(*T.getTemplatedDecl());
    for (const ClassTemplateSpecializationDecl *R : T.specializations())
      record(*R);
    return;
  }
  case Decl::Friend:
    if (const NamedDecl *Named = cast<FriendDecl>(D).getFriendDecl())
      visit(*Named);
    return;
  case Decl::Field:
    return checkAttributes(C, D);
  case Decl::Enum:
  case Decl::Typedef:
  case Decl::TypeAlias:
  case Decl::TypeAliasTemplate:
    return checkAttributes(C, D);
  case Decl::AccessSpec:
  case Decl::Empty:
  case Decl::NamespaceAlias:
  case Decl::StaticAssert:
  case Decl::Using:
  case Decl::UsingShadow:
  case Decl::UsingEnum:
  case Decl::UsingDirective:
  case Decl::ConstructorUsingShadow:
  case Decl::CXXDeductionGuide:
  case Decl::IndirectField:
    return;
  case Decl::FileScopeAsm:
    return C.report(RuleId::InlineAssembly, D.getLocation(),
                    "assembly at file scope");
  default:
    return C.report(RuleId::Declaration, D.getLocation(),
                    Twine("a declaration of kind ") + D.getDeclKindName());
  }
}

void checkRecord(RuleContext &C, const CXXRecordDecl &R) {
  DeclarationCheck(C).record(R);
}

void checkLocalDeclaration(RuleContext &C, const Decl &D) {
  checkAttributes(C, D);
  if (auto *R = dyn_cast<CXXRecordDecl>(&D))
    checkRecord(C, *R);
  else if (auto *F = dyn_cast<FunctionDecl>(&D))
    C.report(RuleId::Declaration, F->getLocation(),
             F->getNameAsString() + " is declared inside a function");
}

void checkDeclarations(RuleContext &C, const TranslationUnitDecl &Unit) {
  DeclarationCheck Check(C);
  for (const Decl *D : Unit.decls())
    Check.visit(*D);
  if (!C.Launcher)
    C.Report.add(RuleId::LauncherMissing, 0, 0,
                 "there is no extern \"C\" " + C.Request.Launcher);
}

namespace {
/// Colours of a depth-first walk: a call into a function that is still open is
/// a cycle.
class RecursionCheck {
public:
  explicit RecursionCheck(RuleContext &C) : C(C) {}
  void visit(const FunctionDecl *F) {
    bool &Open = State[F];
    Open = true;
    for (const FunctionDecl *Callee : C.Calls[F]) {
      auto Known = State.find(Callee);
      if (Known == State.end())
        visit(Callee);
      else if (Known->second)
        C.report(RuleId::Recursion, Callee->getLocation(),
                 Callee->getNameAsString() + " calls itself");
    }
    State[F] = false;
  }
  bool isNew(const FunctionDecl *F) const { return !State.count(F); }

private:
  RuleContext &C;
  std::map<const FunctionDecl *, bool> State;
};
} // namespace

void checkRecursion(RuleContext &C) {
  RecursionCheck Check(C);
  std::vector<const FunctionDecl *> All;
  for (auto &[F, Callees] : C.Calls)
    All.push_back(F);
  for (const FunctionDecl *F : All)
    if (Check.isNew(F))
      Check.visit(F);
}

} // namespace autokernel
