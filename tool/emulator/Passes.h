//===- Passes.h - what happens to the modules after Clang -------*- C++ -*-===//
//
// The steps between Clang's modules and the object file, in their order:
// prepareDevice and prepareHost, optimise, instrumentMemory, emitObject.
//
//===----------------------------------------------------------------------===//
#ifndef AUTOKERNEL_EMULATOR_PASSES_H
#define AUTOKERNEL_EMULATOR_PASSES_H

#include "emulator/Frontend.h"
#include "emulator/Sites.h"
#include "llvm/Target/TargetMachine.h"

namespace autokernel::emulator {

inline constexpr llvm::StringLiteral DeviceInitName =
    "__autokernel_device_init";
inline constexpr llvm::StringLiteral HostInitName = "__autokernel_host_init";

/// Inlines the wrappers of our headers, so that calls of the machine stand at
/// the candidate's own lines.
void inlineWrappers(llvm::Module &Module);

/// Moves shared variables to the block's arena and __device__ variables to the
/// heap, gives sites to calls of the machine, and makes DeviceInitName, which
/// registers all of it. Everything else becomes internal.
llvm::Error prepareDevice(FrontendModule &Device, SiteTable &Sites);

/// Makes HostInitName from the module's constructors (which register kernels)
/// and lets calls of the CUDA API say where they stand.
void prepareHost(llvm::Module &Host, SiteTable &Sites);

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> hostTarget();

void optimise(llvm::Module &Module, llvm::TargetMachine &Target, bool Check);

/// Inserts memory checks into device functions.
void instrumentMemory(llvm::Module &Device, SiteTable &Sites);

/// Makes every loop count against the budget.
void instrumentLoops(llvm::Module &Device, SiteTable &Sites);

llvm::Expected<std::string> emitObject(llvm::Module &Module,
                                       llvm::TargetMachine &Target);

} // namespace autokernel::emulator

#endif
