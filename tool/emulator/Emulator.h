//===- Emulator.h - compile a candidate for the CPU -------------*- C++ -*-===//
//
// Compiles one unmodified `.cu` (kernels and their launcher) in this process
// into a host object that `Machine` loads and runs with memory and race checks.
// No toolkit, system header or compiler is needed: the CUDA headers are ours.
//
// Surface: compileForEmulator; emulatorHeaders and emulatorArguments for
// whoever parses candidates with the same headers (the rule checker).
//
//===----------------------------------------------------------------------===//
#ifndef AUTOKERNEL_EMULATOR_EMULATOR_H
#define AUTOKERNEL_EMULATOR_EMULATOR_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <string>
#include <vector>

namespace autokernel::emulator {

struct EmulatorOptions {
  /// Instrument memory accesses and arithmetic.
  bool Check = true;
  /// Fuse a*b+c where the source allows it, as nvcc does by default.
  bool Contract = false;
};

struct EmulatorObject {
  std::string Object;               ///< A relocatable ELF object.
  std::vector<std::string> Kernels; ///< As a person would write their names.
  std::string Warnings;
};

/// The candidate uses something that the CPU can't imitate (PTX, tensor cores,
/// textures, ...): not wrong, but it takes a GPU to tell.
class UnsupportedOnEmulator : public llvm::ErrorInfo<UnsupportedOnEmulator> {
public:
  static char ID;
  explicit UnsupportedOnEmulator(std::string Message)
      : Message(std::move(Message)) {}
  void log(llvm::raw_ostream &OS) const override { OS << Message; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

private:
  std::string Message;
};

/// Other failures are StringErrors with Clang's text, `file:line:col: error:`.
llvm::Expected<EmulatorObject>
compileForEmulator(llvm::StringRef Source, llvm::StringRef FileName,
                   const EmulatorOptions &Options = {});

enum class EmulatorSide { Host, Device };

/// The headers below `/autokernel/include`, in memory.
llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> emulatorHeaders();

/// Arguments of `clang -cc1` for one side, without the input file.
std::vector<std::string> emulatorArguments(EmulatorSide Side,
                                           const EmulatorOptions &Options);

} // namespace autokernel::emulator

#endif
