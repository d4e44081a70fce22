//===- Emulator.cpp - the compiler's steps --------------------------------===//

#include "emulator/Emulator.h"
#include "emulator/Passes.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"

using namespace llvm;

namespace autokernel::emulator {

static Expected<std::unique_ptr<Module>>
compileDevice(FrontendModule &Device, TargetMachine &Target, bool Check) {
  SiteTable Sites(*Device.Module);
  Device.Module->setDataLayout(Target.createDataLayout());
  inlineWrappers(*Device.Module);
  if (Error E = prepareDevice(Device, Sites))
    return E;
  Sites.pin();
  optimise(*Device.Module, Target, Check);
  if (Check)
    instrumentMemory(*Device.Module, Sites);
  instrumentLoops(*Device.Module, Sites);
  Sites.registerIn(*Device.Module->getFunction(DeviceInitName));
  StripDebugInfo(*Device.Module);
  return std::move(Device.Module);
}

static void compileHost(Module &Host, TargetMachine &Target) {
  SiteTable Sites(Host);
  Host.setDataLayout(Target.createDataLayout());
  inlineWrappers(Host);
  prepareHost(Host, Sites);
  optimise(Host, Target, false);
  StripDebugInfo(Host);
}

// The device comes first: its errors are the ones that matter to a reader.
Expected<EmulatorObject> compileForEmulator(StringRef Source,
                                            StringRef FileName,
                                            const EmulatorOptions &Options) {
  LLVMContext Context;
  auto Target = hostTarget();
  if (!Target)
    return Target.takeError();
  auto Device =
      runFrontend(Source, FileName, EmulatorSide::Device, Options, Context);
  if (!Device)
    return Device.takeError();
  auto Host =
      runFrontend(Source, FileName, EmulatorSide::Host, Options, Context);
  if (!Host)
    return Host.takeError();

  EmulatorObject Result;
  Result.Warnings = Device->Warnings;
  for (const KernelEntry &Kernel : Device->Kernels)
    Result.Kernels.push_back(Kernel.Name);
  auto Compiled = compileDevice(*Device, **Target, Options.Check);
  if (!Compiled)
    return Compiled.takeError();
  compileHost(*Host->Module, **Target);
  if (Linker::linkModules(*Host->Module, std::move(*Compiled)))
    return createStringError("device and host code don't fit together");
  assert(!verifyModule(*Host->Module, &errs()) &&
         "the passes broke the module");
  auto Object = emitObject(*Host->Module, **Target);
  if (!Object)
    return Object.takeError();
  Result.Object = std::move(*Object);
  return Result;
}

} // namespace autokernel::emulator
