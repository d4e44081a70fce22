//===- Frontend.h - Clang's part of the emulator's compiler -----*- C++ -*-===//
//
// Parses a candidate once for the device and once for the host and hands back
// two unoptimised LLVM modules. Each kernel of the device module has got a
// trampoline `void(void **)` that takes its arguments as cudaLaunchKernel does.
//
//===----------------------------------------------------------------------===//
#ifndef AUTOKERNEL_EMULATOR_FRONTEND_H
#define AUTOKERNEL_EMULATOR_FRONTEND_H

#include "emulator/Emulator.h"
#include "llvm/IR/Module.h"
#include <memory>

namespace autokernel::emulator {

/// Starts every message about something that takes a GPU.
inline constexpr llvm::StringLiteral UnsupportedMark =
    "unsupported on the emulator: ";
inline constexpr llvm::StringLiteral FatBinaryPath = "/autokernel/fatbin";

struct KernelEntry {
  std::string Name;   ///< As a person would write it.
  std::string Symbol; ///< Mangled; the host registers it under this name.
  unsigned Line = 0;
  unsigned MaxThreads = 0; ///< From __launch_bounds__; 0 if there are none.
  llvm::Function *Kernel = nullptr;
  llvm::Function *Trampoline = nullptr;
};

struct FrontendModule {
  std::unique_ptr<llvm::Module> Module;
  std::vector<KernelEntry> Kernels; ///< Empty for the host.
  std::string Warnings;
};

llvm::Expected<FrontendModule>
runFrontend(llvm::StringRef Source, llvm::StringRef FileName, EmulatorSide Side,
            const EmulatorOptions &Options, llvm::LLVMContext &Context);

} // namespace autokernel::emulator

#endif
