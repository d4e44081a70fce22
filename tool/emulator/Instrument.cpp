//===- Instrument.cpp - memory checks and loop budgets --------------------===//
//
// Runs after optimisation, so that only accesses that really happen are paid
// for. What the compiler can prove private (locals, kernel parameters) or
// constant isn't checked.
//
//===----------------------------------------------------------------------===//

#include "emulator/Passes.h"
#include "emulator/headers/autokernel_state.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <cstddef>
#include <map>

using namespace llvm;

namespace autokernel::emulator {

namespace {

class MemoryInstrumentation {
public:
  MemoryInstrumentation(Module &Device, SiteTable &Sites)
      : Device(Device), Sites(Sites), Layout(Device.getDataLayout()) {}
  void visit(Function &F);

private:
  /// An address without its constant part: pointers, indices and their scales.
  using Symbolic = std::vector<std::pair<Value *, int64_t>>;
  /// Loads of neighbours, with nothing in between that may write.
  using Run = std::map<std::pair<Symbolic, int64_t>, LoadInst *>;
  std::pair<Symbolic, int64_t> split(Value *Address) const;
  void visitBlock(BasicBlock &Block);
  void note(LoadInst &Load, Run &Loads);
  void checkRun(Run &Loads);
  void checkFour(ArrayRef<LoadInst *> Loads);
  void visitAccess(Instruction &I);
  void checkAccess(Instruction &I, Value *Address, Type *Type, Align Alignment,
                   bool IsWrite, bool IsVolatile);
  void checkRange(MemIntrinsic &I);
  void callCheck(IRBuilder<> &Builder, const Twine &Name, Value *Address,
                 Constant *Site);
  void callMachine(IRBuilder<> &Builder, StringRef Name, Value *Address,
                   Value *Size, Constant *Site);

  Module &Device;
  SiteTable &Sites;
  const DataLayout &Layout;
};

} // namespace

static bool isPrivate(const Value *Address) {
  const Value *Object = getUnderlyingObject(Address, /*MaxLookup=*/12);
  if (isa<AllocaInst, GlobalVariable>(Object))
    return true;
  auto *Parameter = dyn_cast<Argument>(Object);
  return Parameter && Parameter->hasByValAttr();
}

static bool isOurs(const Function &F) {
  return F.isDeclaration() || F.getName().contains("__ak_") ||
         F.getName() == DeviceInitName;
}

void MemoryInstrumentation::callMachine(IRBuilder<> &Builder, StringRef Name,
                                        Value *Address, Value *Size,
                                        Constant *Site) {
  FunctionCallee Callee = Device.getOrInsertFunction(
      Name, Builder.getVoidTy(), Builder.getInt64Ty(), Builder.getInt64Ty(),
      Builder.getPtrTy());
  Builder.CreateCall(Callee, {Address, Size, Site});
}

void MemoryInstrumentation::callCheck(IRBuilder<> &Builder, const Twine &Name,
                                      Value *Address, Constant *Site) {
  FunctionCallee Callee =
      Device.getOrInsertFunction(("__ak_" + Name).str(), Builder.getVoidTy(),
                                 Builder.getInt64Ty(), Builder.getPtrTy());
  auto *F = cast<Function>(Callee.getCallee());
  F->setCallingConv(CallingConv::PreserveAll);
  Builder.CreateCall(F, {Address, Site})
      ->setCallingConv(CallingConv::PreserveAll);
}

/// The fast check that covers an access, or "" where the machine has to look.
static std::string fastCheck(uint64_t Size, uint64_t Alignment) {
  if (Size < 4 && Size == Alignment)
    return std::to_string(Size);
  // Vectors of vectorised code are checked in pieces.
  if ((Size == 32 || Size == 64) && Alignment >= 4 && Alignment <= 16)
    return "16u";
  if ((Size != 4 && Size != 8 && Size != 16) || Alignment < 4)
    return "";
  if (Alignment > Size)
    return Size == 4 ? "4a" : "";
  return std::to_string(Size) + (Alignment == Size ? "" : "u");
}

void MemoryInstrumentation::checkAccess(Instruction &I, Value *Address,
                                        Type *AccessType, Align Alignment,
                                        bool IsWrite, bool IsVolatile) {
  if (isPrivate(Address))
    return;
  uint64_t Size = Layout.getTypeStoreSize(AccessType);
  IRBuilder<> Builder(&I);
  Builder.SetCurrentDebugLocation(DebugLoc());
  Constant *Site = Sites.at(I, Size, Alignment.value());
  Value *Number = Builder.CreatePtrToInt(Address, Builder.getInt64Ty());
  std::string Kind = IsWrite ? "write" : "read";
  std::string Fast = fastCheck(Size, Alignment.value());
  if (IsVolatile)
    return callMachine(Builder, "__ak_volatile_" + Kind, Number,
                       Builder.getInt64(Size), Site);
  if (Fast.empty())
    return callMachine(Builder, "__ak_" + Kind + "_slow", Number,
                       Builder.getInt64(Size), Site);
  for (uint64_t At = 0; At < Size; At += std::min<uint64_t>(Size, 16))
    callCheck(Builder, Kind + Fast,
              Builder.CreateAdd(Number, Builder.getInt64(At)), Site);
}

void MemoryInstrumentation::checkRange(MemIntrinsic &I) {
  IRBuilder<> Builder(&I);
  Builder.SetCurrentDebugLocation(DebugLoc());
  Value *Size = Builder.CreateZExtOrTrunc(I.getLength(), Builder.getInt64Ty());
  auto Check = [&](StringRef Name, Value *Address, MaybeAlign Alignment) {
    if (!isPrivate(Address))
      callMachine(Builder, Name,
                  Builder.CreatePtrToInt(Address, Builder.getInt64Ty()), Size,
                  Sites.at(I, 0, Alignment.valueOrOne().value()));
  };
  if (auto *Transfer = dyn_cast<MemTransferInst>(&I))
    Check("__ak_read_slow", Transfer->getRawSource(),
          Transfer->getSourceAlign());
  Check("__ak_write_slow", I.getRawDest(), I.getDestAlign());
}

void MemoryInstrumentation::visitAccess(Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I); Load && !Load->isAtomic())
    checkAccess(I, Load->getPointerOperand(), Load->getType(), Load->getAlign(),
                false, Load->isVolatile());
  else if (auto *Store = dyn_cast<StoreInst>(&I); Store && !Store->isAtomic())
    checkAccess(I, Store->getPointerOperand(),
                Store->getValueOperand()->getType(), Store->getAlign(), true,
                Store->isVolatile());
  else if (auto *Range = dyn_cast<MemIntrinsic>(&I))
    checkRange(*Range);
}

std::pair<MemoryInstrumentation::Symbolic, int64_t>
MemoryInstrumentation::split(Value *Address) const {
  Symbolic Parts;
  APInt Constant(64, 0);
  while (auto *GEP = dyn_cast<GEPOperator>(Address)) {
    SmallMapVector<Value *, APInt, 4> Variables;
    if (!GEP->collectOffset(Layout, 64, Variables, Constant))
      break;
    for (auto &[Index, Scale] : Variables)
      Parts.push_back({Index, Scale.getSExtValue()});
    Address = GEP->getPointerOperand();
  }
  Parts.push_back({Address, 0});
  return {Parts, Constant.getSExtValue()};
}

/// One check of 16 bytes for four neighbours, before the first of them.
void MemoryInstrumentation::checkFour(ArrayRef<LoadInst *> Loads) {
  LoadInst *First = *llvm::min_element(
      Loads, [](LoadInst *A, LoadInst *B) { return A->comesBefore(B); });
  int64_t Distance = split(Loads[0]->getPointerOperand()).second -
                     split(First->getPointerOperand()).second;
  IRBuilder<> Builder(First);
  Builder.SetCurrentDebugLocation(DebugLoc());
  Value *Address =
      Builder.CreatePtrToInt(First->getPointerOperand(), Builder.getInt64Ty());
  Address = Builder.CreateAdd(Address, Builder.getInt64(uint64_t(Distance)));
  callCheck(Builder, "read16u", Address, Sites.at(*Loads[0], 16, 4));
}

void MemoryInstrumentation::checkRun(Run &Loads) {
  SmallVector<LoadInst *, 4> Four;
  auto Flush = [&] {
    for (LoadInst *Load : Four)
      visitAccess(*Load);
    Four.clear();
  };
  std::pair<Symbolic, int64_t> Expected;
  for (auto &[Place, Load] : Loads) {
    if (!Four.empty() && Place != Expected)
      Flush();
    Four.push_back(Load);
    Expected = {Place.first, Place.second + 4};
    if (Four.size() == 4) {
      checkFour(Four);
      Four.clear();
    }
  }
  Flush();
  Loads.clear();
}

static bool isSmallLoad(const LoadInst &Load, const DataLayout &Layout) {
  return Load.isSimple() && Layout.getTypeStoreSize(Load.getType()) == 4 &&
         Load.getAlign() == 4 && !isPrivate(Load.getPointerOperand());
}

void MemoryInstrumentation::note(LoadInst &Load, Run &Loads) {
  // Once is enough where nothing can have changed in between.
  Loads.try_emplace(split(Load.getPointerOperand()), &Load);
}

void MemoryInstrumentation::visitBlock(BasicBlock &Block) {
  Run Loads;
  for (Instruction &I : make_early_inc_range(Block)) {
    auto *Load = dyn_cast<LoadInst>(&I);
    if (Load && isSmallLoad(*Load, Layout)) {
      note(*Load, Loads);
      continue;
    }
    // What may write or wait is a border that no check may cross.
    if (I.mayHaveSideEffects() || I.isTerminator())
      checkRun(Loads);
    visitAccess(I);
  }
}

void MemoryInstrumentation::visit(Function &F) {
  for (BasicBlock &Block : F)
    visitBlock(Block);
}

void instrumentMemory(Module &Device, SiteTable &Sites) {
  MemoryInstrumentation Instrumentation(Device, Sites);
  for (Function &F : Device)
    if (!isOurs(F))
      Instrumentation.visit(F);
}

static void countIteration(Instruction &Latch, SiteTable &Sites) {
  IRBuilder<> Builder(&Latch);
  Module &Device = *Latch.getModule();
  Constant *Counter = ConstantExpr::getIntToPtr(
      Builder.getInt64(AK_STATE_BASE + offsetof(__ak_state, steps)),
      Builder.getPtrTy());
  Value *Left = Builder.CreateSub(
      Builder.CreateLoad(Builder.getInt64Ty(), Counter), Builder.getInt64(1));
  Builder.CreateStore(Left, Counter);
  Value *Spent = Builder.CreateICmpSLT(Left, Builder.getInt64(0));
  MDNode *Unlikely =
      MDBuilder(Device.getContext()).createUnlikelyBranchWeights();
  Instruction *Then = SplitBlockAndInsertIfThen(Spent, &Latch, false, Unlikely);
  IRBuilder<> Rare(Then);
  Rare.CreateCall(Device.getOrInsertFunction("__ak_budget", Rare.getVoidTy(),
                                             Rare.getPtrTy()),
                  {Sites.at(Latch)});
}

void instrumentLoops(Module &Device, SiteTable &Sites) {
  for (Function &F : Device) {
    if (isOurs(F))
      continue;
    DominatorTree Dominators(F);
    LoopInfo Loops(Dominators);
    SmallVector<BasicBlock *, 8> Latches;
    for (Loop *L : Loops.getLoopsInPreorder())
      L->getLoopLatches(Latches);
    SmallSetVector<BasicBlock *, 8> Once(Latches.begin(), Latches.end());
    for (BasicBlock *Latch : Once)
      countIteration(*Latch->getTerminator(), Sites);
  }
}

} // namespace autokernel::emulator
