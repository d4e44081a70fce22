//===- Checks.cpp - compile only the memory checks that are used ----------===//
//
// Every candidate's module comes with all fast paths of autokernel_check.h. To
// optimise and emit them takes longer than most kernels, so they wait in a
// module of their own until instrumentation has shown which are needed.
//
//===----------------------------------------------------------------------===//

#include "emulator/Passes.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace autokernel::emulator {

static bool isCheck(const GlobalValue &Value) {
  auto *F = dyn_cast<Function>(&Value);
  return F && F->getCallingConv() == CallingConv::PreserveAll;
}

std::unique_ptr<Module> takeChecks(Module &Device) {
  removeFromUsedLists(Device, [](Constant *C) {
    auto *Value = dyn_cast<GlobalValue>(C);
    return Value && isCheck(*Value);
  });
  ValueToValueMapTy Map;
  auto Checks = CloneModule(
      Device, Map, [](const GlobalValue *Value) { return isCheck(*Value); });
  for (Function &F : make_early_inc_range(Device))
    if (isCheck(F)) {
      F.deleteBody();
      F.setComdat(nullptr);
    }
  for (Function &F : make_early_inc_range(Device))
    if (isCheck(F) && F.use_empty())
      F.eraseFromParent();
  return Checks;
}

bool linkChecks(Module &Device, std::unique_ptr<Module> Checks,
                TargetMachine &Target) {
  for (Function &F : *Checks) {
    Function *Wanted = Device.getFunction(F.getName());
    if (!F.isDeclaration() && (!Wanted || Wanted->use_empty()))
      F.setLinkage(GlobalValue::InternalLinkage);
  }
  optimise(*Checks, Target, /*Check=*/true);
  return !Linker::linkModules(Device, std::move(Checks));
}

} // namespace autokernel::emulator
