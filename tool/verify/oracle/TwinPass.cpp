#include "verify/oracle/TwinPass.h"
#include "verify/oracle/Reference.h"
#include "verify/oracle/TwinAbi.h"
#include "verify/oracle/TwinFunctionShadows.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/IPO/Internalize.h"

using namespace llvm;

namespace autokernel {

FunctionShadows::FunctionShadows(Function &F,
                                 const ShadowArithmetic &Arithmetic,
                                 GlobalVariable &ArgumentArea)
    : F(F), M(*F.getParent()), Arithmetic(Arithmetic),
      ArgumentArea(ArgumentArea) {}

CallInst *FunctionShadows::callRunTime(IRBuilder<> &B, Type *Result,
                                       const Twine &Name,
                                       ArrayRef<Value *> Args) {
  SmallVector<Type *, 8> Types;
  for (Value *V : Args)
    Types.push_back(V->getType());
  FunctionCallee Callee = M.getOrInsertFunction(
      Name.str(), FunctionType::get(Result, Types, /*isVarArg=*/false));
  CallInst *Call = B.CreateCall(Callee, Args);
  Call->setDoesNotThrow();
  return Call;
}

ShadowValue FunctionShadows::readTriple(IRBuilder<> &B, Type *T, Value *From) {
  auto Part = [&](unsigned I) {
    return B.CreateLoad(T, B.CreateConstInBoundsGEP1_64(T, From, I));
  };
  return {Part(0), Part(1), Part(2)};
}

static Value *bitsOf(IRBuilder<> &B, Value *Native) {
  Value *Bits = B.CreateBitCast(
      Native, B.getIntNTy(Native->getType()->getScalarSizeInBits()));
  return B.CreateZExtOrTrunc(Bits, B.getInt64Ty());
}

ShadowValue FunctionShadows::loadShadow(IRBuilder<> &B, Value *Address,
                                        Value *Native) {
  FloatKind K = kindOf(Native->getType());
  if (K == FloatKind::Extended)
    return Arithmetic.exact(B, Native);
  Value *Triple =
      callRunTime(B, B.getPtrTy(),
                  Arithmetic.isWide(K) ? "autokernel_twin_load_x"
                                       : "autokernel_twin_load_d",
                  {Address, bitsOf(B, Native), Arithmetic.extended(B, Native),
                   B.getInt32(unsigned(K))});
  return readTriple(B, Arithmetic.typeOf(K), Triple);
}

void FunctionShadows::storeShadow(IRBuilder<> &B, Value *Address, Value *Native,
                                  ShadowValue S) {
  FloatKind K = kindOf(Native->getType());
  if (K == FloatKind::Extended)
    return;
  callRunTime(
      B, B.getVoidTy(),
      Arithmetic.isWide(K) ? "autokernel_twin_store_x"
                           : "autokernel_twin_store_d",
      {Address, bitsOf(B, Native), B.getInt32(unsigned(K)), S.V, S.M, S.E2});
}

void FunctionShadows::reportMissing(IRBuilder<> &B, StringRef Name) {
  callRunTime(B, B.getVoidTy(), "autokernel_twin_missing",
              {B.CreateGlobalString(Name)});
}

ShadowValue FunctionShadows::shadowOf(IRBuilder<> &B, Value *V) {
  FloatKind K = kindOf(V->getType());
  if (auto *C = dyn_cast<ConstantFP>(V))
    return Arithmetic.literal(K, C->getValueAPF());
  if (isa<UndefValue>(V))
    return Arithmetic.zero(K);
  auto Found = Shadows.find(V);
  return Found != Shadows.end() ? Found->second : Arithmetic.exact(B, V);
}

ShadowValue FunctionShadows::phi(PHINode &N) {
  IRBuilder<> B(&N);
  Type *T = Arithmetic.typeOf(kindOf(N.getType()));
  unsigned Count = N.getNumIncomingValues();
  return {B.CreatePHI(T, Count), B.CreatePHI(T, Count), B.CreatePHI(T, Count)};
}

void FunctionShadows::completePhi(PHINode &N) {
  ShadowValue S = Shadows.lookup(&N);
  for (unsigned I = 0; I < N.getNumIncomingValues(); ++I) {
    BasicBlock *From = N.getIncomingBlock(I);
    IRBuilder<> B(From->getTerminator());
    ShadowValue In = shadowOf(B, N.getIncomingValue(I));
    cast<PHINode>(S.V)->addIncoming(In.V, From);
    cast<PHINode>(S.M)->addIncoming(In.M, From);
    cast<PHINode>(S.E2)->addIncoming(In.E2, From);
  }
}

/// Floats copied through integers keep their shadows; bits that were computed
/// have none.
ShadowValue FunctionShadows::fromBits(IRBuilder<> &B, BitCastInst &Cast) {
  Value *Bits = Cast.getOperand(0);
  if (auto *Load = dyn_cast<LoadInst>(Bits))
    return loadShadow(B, Load->getPointerOperand(), &Cast);
  if (auto *Back = dyn_cast<BitCastInst>(Bits))
    if (Back->getSrcTy() == Cast.getType())
      return shadowOf(B, Back->getOperand(0));
  if (!isa<Constant>(Bits))
    reportMissing(B, "float made from bits");
  return Arithmetic.exact(B, &Cast);
}

/// trunc(ext(s) + y): a sum in the narrow type of s.
static bool accumulates(const Instruction &Trunc) {
  auto *Sum = dyn_cast<BinaryOperator>(Trunc.getOperand(0));
  if (!Sum || (Sum->getOpcode() != Instruction::FAdd &&
               Sum->getOpcode() != Instruction::FSub))
    return false;
  return any_of(Sum->operands(), [&](const Use &U) {
    auto *Ext = dyn_cast<FPExtInst>(U);
    return Ext && Ext->getSrcTy() == Trunc.getType();
  });
}

std::optional<ShadowValue> FunctionShadows::rule(IRBuilder<> &B,
                                                 Instruction &I) {
  auto Operand = [&](unsigned K) { return shadowOf(B, I.getOperand(K)); };
  switch (I.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
    return Arithmetic.sum(B, &I, Operand(0), Operand(1),
                          I.getOpcode() == Instruction::FSub);
  case Instruction::FMul:
    return Arithmetic.product(B, &I, Operand(0), Operand(1));
  case Instruction::FDiv:
    return Arithmetic.quotient(B, &I, Operand(0), Operand(1));
  case Instruction::FRem:
    return tabulated(B, "fmod", &I, {Operand(0), Operand(1)});
  case Instruction::FNeg:
    return Arithmetic.negated(B, Operand(0));
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    return Arithmetic.converted(B, &I, kindOf(I.getOperand(0)->getType()),
                                Operand(0), accumulates(I));
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    return Arithmetic.fromInteger(B, &I, I.getOperand(0),
                                  I.getOpcode() == Instruction::SIToFP);
  case Instruction::Select:
    return Arithmetic.chosen(B, I.getOperand(0), Operand(1), Operand(2));
  case Instruction::Load:
    return loadShadow(B, cast<LoadInst>(I).getPointerOperand(), &I);
  case Instruction::BitCast:
    return fromBits(B, cast<BitCastInst>(I));
  case Instruction::Freeze:
    return Operand(0);
  case Instruction::ExtractValue: {
    auto &E = cast<ExtractValueInst>(I);
    auto Found = Elements.find({E.getAggregateOperand(), E.getIndices()[0]});
    if (Found != Elements.end())
      return Found->second;
    return std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

void FunctionShadows::visitStore(StoreInst &S) {
  Value *V = S.getValueOperand(), *At = S.getPointerOperand();
  IRBuilder<> B(&S);
  if (kindOf(V->getType()) != FloatKind::None)
    return storeShadow(B, At, V, shadowOf(B, V));
  auto *Cast = dyn_cast<BitCastInst>(V);
  if (Cast && kindOf(Cast->getSrcTy()) != FloatKind::None) {
    Value *Float = Cast->getOperand(0);
    return storeShadow(B, At, Float, shadowOf(B, Float));
  }
  if (V->getType()->isFPOrFPVectorTy())
    return reportMissing(B, "vector store");
  // Structs of floats are often copied as integers.
  auto *Load = dyn_cast<LoadInst>(V);
  if (Load && V->getType()->isIntegerTy())
    callRunTime(B, B.getVoidTy(), "autokernel_twin_copy",
                {At, Load->getPointerOperand(),
                 B.getInt64(V->getType()->getIntegerBitWidth() / 8)});
}

void FunctionShadows::visit(Instruction &I) {
  if (auto *S = dyn_cast<StoreInst>(&I))
    return visitStore(*S);
  if (auto *Call = dyn_cast<CallBase>(&I))
    return visitCall(*Call);
  if (auto *R = dyn_cast<ReturnInst>(&I))
    return visitReturn(*R);
  if (kindOf(I.getType()) == FloatKind::None)
    return;
  if (auto *N = dyn_cast<PHINode>(&I)) {
    Shadows[N] = phi(*N);
    return;
  }
  IRBuilder<> B(I.getNextNode());
  if (std::optional<ShadowValue> S = rule(B, I)) {
    Shadows[&I] = *S;
    return;
  }
  reportMissing(B, I.getOpcodeName());
  Shadows[&I] = Arithmetic.rounded(B, &I);
}

void FunctionShadows::run() {
  // Definitions before uses; what instrumentation adds isn't visited.
  std::vector<Instruction *> Original;
  for (BasicBlock *Block : ReversePostOrderTraversal<Function *>(&F))
    for (Instruction &I : *Block)
      Original.push_back(&I);
  receiveArguments();
  for (Instruction *I : Original)
    visit(*I);
  for (Instruction *I : Original)
    if (auto *N = dyn_cast<PHINode>(I))
      if (kindOf(N->getType()) != FloatKind::None)
        completePhi(*N);
}

/// Called by generated code only (Codegen.cpp).
static bool isRoundingHelper(const GlobalValue &G) {
  return G.getName().starts_with("__trunc");
}

static bool isKept(const GlobalValue &G) {
  return G.getName() == ReferenceEntry || G.getName() == ReferenceInit ||
         isRoundingHelper(G);
}

/// Inlining everything may explode: past this size only small functions are.
static void markForInlining(Module &M) {
  constexpr unsigned LargeModule = 20000, SmallFunction = 200;
  bool Large = M.getInstructionCount() > LargeModule;
  for (Function &F : M) {
    F.removeFnAttr(Attribute::OptimizeNone);
    if (F.isDeclaration() || isKept(F) ||
        (Large && F.getInstructionCount() > SmallFunction))
      continue;
    F.removeFnAttr(Attribute::NoInline);
    F.addFnAttr(Attribute::AlwaysInline);
  }
}

static void dropFastMath(Function &F) {
  for (const char *Name :
       {"unsafe-fp-math", "no-infs-fp-math", "no-nans-fp-math",
        "no-signed-zeros-fp-math", "approx-func-fp-math", "denormal-fp-math",
        "denormal-fp-math-f32"})
    F.removeFnAttr(Name);
  for (Instruction &I : instructions(F))
    if (isa<FPMathOperator>(I))
      I.copyFastMathFlags(FastMathFlags());
}

void prepareForShadows(Module &M) {
  internalizeModule(M, isKept);
  markForInlining(M);
  for (Function &F : M)
    dropFastMath(F);
}

void instrumentShadows(Module &M) {
  ShadowArithmetic Arithmetic(M);
  auto *AreaType = ArrayType::get(Type::getInt8Ty(M.getContext()),
                                  AreaSlots * AreaSlotBytes);
  auto *Area = new GlobalVariable(
      M, AreaType, /*isConstant=*/false, GlobalValue::InternalLinkage,
      Constant::getNullValue(AreaType), "autokernel_twin_area");
  Area->setAlignment(Align(AreaSlotBytes));
  std::vector<Function *> Defined;
  for (Function &F : M)
    if (!F.isDeclaration() && !isRoundingHelper(F))
      Defined.push_back(&F);
  for (Function *F : Defined)
    FunctionShadows(*F, Arithmetic, *Area).run();
}

} // namespace autokernel
