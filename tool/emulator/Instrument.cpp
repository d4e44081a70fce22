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

using namespace llvm;

namespace autokernel::emulator {

namespace {

class MemoryInstrumentation {
public:
  MemoryInstrumentation(Module &Device, SiteTable &Sites)
      : Device(Device), Sites(Sites), Layout(Device.getDataLayout()) {}
  void visit(Function &F);

private:
  void checkAccess(Instruction &I, Value *Address, Type *Type, Align Alignment,
                   bool IsWrite, bool IsVolatile);
  void checkRange(MemIntrinsic &I);
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
  return F.isDeclaration() || F.getName().starts_with("__ak_") ||
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

/// The fast check that covers an access, or "" where the machine has to look.
static std::string fastCheck(uint64_t Size, uint64_t Alignment) {
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
  if (Fast.empty() || !Device.getFunction("__ak_" + Kind + Fast))
    return callMachine(Builder, "__ak_" + Kind + "_slow", Number,
                       Builder.getInt64(Size), Site);
  CallInst *Call = Builder.CreateCall(Device.getFunction("__ak_" + Kind + Fast),
                                      {Number, Site});
  Call->setCallingConv(CallingConv::PreserveAll);
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

void MemoryInstrumentation::visit(Function &F) {
  SmallVector<Instruction *, 64> Accesses;
  for (Instruction &I : instructions(F))
    if (isa<LoadInst, StoreInst, MemIntrinsic>(I))
      Accesses.push_back(&I);
  for (Instruction *I : Accesses) {
    if (auto *Load = dyn_cast<LoadInst>(I); Load && !Load->isAtomic())
      checkAccess(*I, Load->getPointerOperand(), Load->getType(),
                  Load->getAlign(), false, Load->isVolatile());
    else if (auto *Store = dyn_cast<StoreInst>(I); Store && !Store->isAtomic())
      checkAccess(*I, Store->getPointerOperand(),
                  Store->getValueOperand()->getType(), Store->getAlign(), true,
                  Store->isVolatile());
    else if (auto *Range = dyn_cast<MemIntrinsic>(I))
      checkRange(*Range);
  }
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
