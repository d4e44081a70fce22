// From an LLVM module to a relocatable object that a JIT can load without a
// platform: static initialisers become a function, destructors at exit and
// thread-local storage go.
// Surface: makeTargetMachine, makeLoadable, optimise, emitObject.
#ifndef AUTOKERNEL_VERIFY_ORACLE_CODEGEN_H
#define AUTOKERNEL_VERIFY_ORACLE_CODEGEN_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace autokernel {

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
makeTargetMachine(const llvm::Module &M, bool Optimise);

void makeLoadable(llvm::Module &M);

/// Runs a textual pass pipeline, such as "default<O2>".
llvm::Error optimise(llvm::Module &M, llvm::TargetMachine &Target,
                     llvm::StringRef Pipeline);

llvm::Expected<std::string> emitObject(llvm::Module &M,
                                       llvm::TargetMachine &Target);

} // namespace autokernel

#endif
