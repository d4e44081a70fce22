#include "verify/oracle/TwinAbi.h"
#include "verify/oracle/TwinFunctionShadows.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace autokernel {

namespace {
struct TableEntry {
  StringRef Name;
  unsigned Arity;
};
constexpr TableEntry Table[] = {
#define FUNCTION1(Name, FloatUlp, DoubleUlp) {#Name, 1},
#define FUNCTION2(Name, FloatUlp, DoubleUlp) {#Name, 2},
#include "verify/oracle/TwinFunctions.def"
};

enum class SpecialRule { None, MulAdd, Abs, CopySign, MinMax, Step, Same };
} // namespace

static std::optional<unsigned> tableIndex(StringRef Name) {
  Name = StringSwitch<StringRef>(Name)
             .Case("powi", "pow")
             .Cases({"scalbn", "scalbln"}, "ldexp")
             .Default(Name);
  for (unsigned I = 0; I < std::size(Table); ++I)
    if (Table[I].Name == Name)
      return I;
  return std::nullopt;
}

static SpecialRule specialRule(StringRef Name) {
  return StringSwitch<SpecialRule>(Name)
      .Cases({"fma", "fmuladd"}, SpecialRule::MulAdd)
      .Case("fabs", SpecialRule::Abs)
      .Case("copysign", SpecialRule::CopySign)
      .Cases({"fmin", "fmax", "minnum", "maxnum", "minimum", "maximum",
              "minimumnum", "maximumnum"},
             SpecialRule::MinMax)
      .Cases({"floor", "ceil", "trunc", "rint", "nearbyint", "round",
              "roundeven", "logb", "nextafter"},
             SpecialRule::Step)
      .Cases({"canonicalize", "arithmetic.fence", "ssa.copy"},
             SpecialRule::Same)
      .Default(SpecialRule::None);
}

static bool hasRule(StringRef Name) {
  return tableIndex(Name) || specialRule(Name) != SpecialRule::None ||
         Name == "sincos";
}

/// expf, exp, expl and llvm.exp.f32 are all "exp".
static std::string plainName(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return "indirect call";
  if (Intrinsic::ID Id = Callee->getIntrinsicID())
    return Intrinsic::getBaseName(Id).drop_front(5).str();
  StringRef Name = Callee->getName();
  if (!hasRule(Name) && (Name.ends_with("f") || Name.ends_with("l")) &&
      hasRule(Name.drop_back()))
    return Name.drop_back().str();
  return Name.str();
}

/// An integer argument (ldexp's exponent, powi's) is an exact number.
ShadowValue FunctionShadows::argument(IRBuilder<> &B, CallBase &Call,
                                      unsigned I) {
  Value *V = Call.getArgOperand(I);
  if (!V->getType()->isIntegerTy())
    return shadowOf(B, V);
  FloatKind K = kindOf(Call.getType());
  Value *Number = B.CreateSIToFP(V, Arithmetic.typeOf(K));
  return {Number, B.CreateUnaryIntrinsic(Intrinsic::fabs, Number),
          Constant::getNullValue(Number->getType())};
}

ShadowValue FunctionShadows::tabulated(IRBuilder<> &B, StringRef Name,
                                       Value *Native,
                                       ArrayRef<ShadowValue> Args) {
  FloatKind K = kindOf(Native->getType());
  std::vector<Value *> Actual = {B.getInt32(*tableIndex(Name)),
                                 B.getInt32(unsigned(K)),
                                 Arithmetic.extended(B, Native)};
  for (const ShadowValue &S : Args)
    Actual.insert(Actual.end(), {S.V, S.M, S.E2});
  Value *Triple =
      callRunTime(B, B.getPtrTy(),
                  Twine("autokernel_twin_math") + Twine(Args.size()) +
                      (Arithmetic.isWide(K) ? "_x" : "_d"),
                  Actual);
  return readTriple(B, Arithmetic.typeOf(K), Triple);
}

std::optional<ShadowValue>
FunctionShadows::tableRule(IRBuilder<> &B, CallBase &Call, StringRef Name) {
  std::optional<unsigned> Index = tableIndex(Name);
  if (!Index || Call.arg_size() != Table[*Index].Arity)
    return std::nullopt;
  SmallVector<ShadowValue, 2> Args;
  for (unsigned I = 0; I < Call.arg_size(); ++I)
    Args.push_back(argument(B, Call, I));
  return tabulated(B, Name, &Call, Args);
}

std::optional<ShadowValue>
FunctionShadows::mathRule(IRBuilder<> &B, CallBase &Call, StringRef Name) {
  auto Arg = [&](unsigned I) { return argument(B, Call, I); };
  auto Native = [&](unsigned I) { return Call.getArgOperand(I); };
  switch (specialRule(Name)) {
  case SpecialRule::None:
    return tableRule(B, Call, Name);
  case SpecialRule::MulAdd: {
    // Two roundings, since kernels may fuse or not.
    ShadowValue Product = Arithmetic.product(B, &Call, Arg(0), Arg(1));
    return Arithmetic.sum(B, &Call, Product, Arg(2), /*Subtract=*/false);
  }
  case SpecialRule::Abs:
    return Arithmetic.absolute(B, Arg(0));
  case SpecialRule::CopySign: {
    ShadowValue S = Arg(0);
    Value *Sign = Arithmetic.extended(B, Native(1));
    S.V = B.CreateBinaryIntrinsic(Intrinsic::copysign, S.V, Sign);
    return S;
  }
  case SpecialRule::MinMax:
    return Arithmetic.chosen(B, B.CreateFCmpOEQ(&Call, Native(0)), Arg(0),
                             Arg(1));
  case SpecialRule::Step:
    return Arithmetic.exact(B, &Call);
  case SpecialRule::Same:
    return Arg(0);
  }
  llvm_unreachable("every special rule is handled");
}

bool FunctionShadows::visitMemoryCall(CallBase &Call, StringRef Name) {
  bool Copies = Name.starts_with("memcpy") || Name.starts_with("memmove");
  if (!Copies && !Name.starts_with("memset")) {
    if (Name != "calloc")
      return false;
    IRBuilder<> B(Call.getNextNode());
    Value *Size = B.CreateMul(Call.getArgOperand(0), Call.getArgOperand(1));
    callRunTime(B, B.getVoidTy(), "autokernel_twin_clear", {&Call, Size});
    return true;
  }
  if (Call.arg_size() < 3)
    return false;
  IRBuilder<> B(&Call);
  Value *To = Call.getArgOperand(0);
  Value *Size = B.CreateZExtOrTrunc(Call.getArgOperand(2), B.getInt64Ty());
  if (Copies)
    callRunTime(B, B.getVoidTy(), "autokernel_twin_copy",
                {To, Call.getArgOperand(1), Size});
  else
    callRunTime(B, B.getVoidTy(), "autokernel_twin_clear", {To, Size});
  return true;
}

bool FunctionShadows::visitSinCos(CallBase &Call, StringRef Name) {
  if (Name != "sincos")
    return false;
  IRBuilder<> B(Call.getNextNode());
  ShadowValue X = shadowOf(B, Call.getArgOperand(0));
  const StringRef Names[] = {"sin", "cos"};
  for (unsigned I = 0; I < 2; ++I) {
    if (Call.getType()->isStructTy()) {
      Value *Native = B.CreateExtractValue(&Call, I);
      Elements[{&Call, I}] = tabulated(B, Names[I], Native, {X});
      continue;
    }
    Value *At = Call.getArgOperand(I + 1);
    Value *Native = B.CreateLoad(Call.getArgOperand(0)->getType(), At);
    storeShadow(B, At, Native, tabulated(B, Names[I], Native, {X}));
  }
  return true;
}

Value *FunctionShadows::areaSlot(IRBuilder<> &B, unsigned Index) {
  return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), &ArgumentArea,
                                      Index * AreaSlotBytes);
}

void FunctionShadows::receiveArguments() {
  IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
  for (Argument &A : F.args())
    if (kindOf(A.getType()) != FloatKind::None)
      Shadows[&A] = A.getArgNo() < AreaSlots
                        ? loadShadow(B, areaSlot(B, A.getArgNo()), &A)
                        : Arithmetic.exact(B, &A);
}

void FunctionShadows::visitReturn(ReturnInst &R) {
  Value *V = R.getReturnValue();
  if (!V || kindOf(V->getType()) == FloatKind::None)
    return;
  IRBuilder<> B(&R);
  storeShadow(B, areaSlot(B, 0), V, shadowOf(B, V));
}

/// A call of instrumented code that was not inlined, or through a pointer.
void FunctionShadows::visitOwnCall(CallBase &Call) {
  IRBuilder<> B(&Call);
  for (unsigned I = 0; I < Call.arg_size() && I < AreaSlots; ++I) {
    Value *V = Call.getArgOperand(I);
    if (kindOf(V->getType()) != FloatKind::None)
      storeShadow(B, areaSlot(B, I), V, shadowOf(B, V));
  }
  if (kindOf(Call.getType()) == FloatKind::None)
    return;
  B.SetInsertPoint(Call.getNextNode());
  Shadows[&Call] = loadShadow(B, areaSlot(B, 0), &Call);
}

/// Library functions that take pointers, yet write no floats.
static bool writesNoFloats(StringRef Name) {
  static const char *const Names[] = {
      "malloc", "free",    "posix_memalign", "aligned_alloc",
      "memcmp", "memchr",  "strlen",         "strcmp",
      "abort",  "exit",    "__assert_fail",  "puts",
      "printf", "fprintf", "omp_get_wtime"};
  static const char *const Prefixes[] = {
      "_Zn", "_Zd", "__cxa", "_Unwind", "_ZSt", "__clang_call_terminate"};
  return is_contained(Names, Name) ||
         any_of(Prefixes, [&](const char *P) { return Name.starts_with(P); });
}

void FunctionShadows::visitUnknownCall(CallBase &Call, StringRef Name) {
  bool Returns =
      Call.getType()->isFPOrFPVectorTy() || Call.getType()->isStructTy();
  bool Writes = any_of(
      Call.args(), [](const Use &U) { return U->getType()->isPointerTy(); });
  if (isa<IntrinsicInst>(Call) && !Call.getType()->isFPOrFPVectorTy())
    return;
  if (!Returns && (!Writes || writesNoFloats(Name)))
    return;
  IRBuilder<> B(Call.getNextNode());
  reportMissing(B, Name);
  if (kindOf(Call.getType()) != FloatKind::None)
    Shadows[&Call] = Arithmetic.rounded(B, &Call);
}

void FunctionShadows::visitCall(CallBase &Call) {
  if (Call.isInlineAsm()) {
    IRBuilder<> B(&Call);
    return reportMissing(B, "inline assembly");
  }
  std::string Name = plainName(Call);
  if (visitMemoryCall(Call, Name) || visitSinCos(Call, Name))
    return;
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration())
    return visitOwnCall(Call);
  if (kindOf(Call.getType()) != FloatKind::None) {
    IRBuilder<> B(Call.getNextNode());
    if (std::optional<ShadowValue> S = mathRule(B, Call, Name)) {
      Shadows[&Call] = *S;
      return;
    }
  }
  visitUnknownCall(Call, Name);
}

} // namespace autokernel
