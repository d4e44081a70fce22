//===- HostModule.cpp - the launcher's side -------------------------------===//

#include "emulator/Passes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace autokernel::emulator {

static std::vector<Function *> takeConstructors(Module &Host) {
  std::vector<Function *> Found;
  GlobalVariable *List = Host.getNamedGlobal("llvm.global_ctors");
  if (!List)
    return Found;
  if (auto *Array = dyn_cast<ConstantArray>(List->getInitializer()))
    for (Value *Entry : Array->operands())
      if (auto *F = dyn_cast<Function>(
              cast<ConstantStruct>(Entry)->getOperand(1)->stripPointerCasts()))
        Found.push_back(F);
  List->eraseFromParent();
  return Found;
}

static void makeInit(Module &Host) {
  IRBuilder<> Builder(Host.getContext());
  auto *Init =
      Function::Create(FunctionType::get(Builder.getVoidTy(), false),
                       GlobalValue::ExternalLinkage, HostInitName, Host);
  Builder.SetInsertPoint(BasicBlock::Create(Host.getContext(), "entry", Init));
  for (Function *Constructor : takeConstructors(Host))
    Builder.CreateCall(Constructor);
  Builder.CreateRetVoid();
}

static bool isApiCall(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->isDeclaration() && I.getDebugLoc() &&
         (Callee->getName().starts_with("cuda") ||
          Callee->getName().starts_with("__cudaPush") ||
          Callee->getName().starts_with("__ak_"));
}

void prepareHost(Module &Host, SiteTable &Sites) {
  makeInit(Host);
  auto *Pointer = PointerType::getUnqual(Host.getContext());
  auto *Here = Host.getOrInsertGlobal("__ak_host_site", Pointer);
  for (Function &F : Host) {
    // A stub's own call stands at the kernel, not at the launch.
    if (F.getName().contains("__device_stub__"))
      continue;
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (isApiCall(I))
        IRBuilder<>(&I).CreateStore(Sites.at(I), Here);
  }
}

} // namespace autokernel::emulator
