// The only door to Clang of the oracle: reference text in, LLVM module out.
// Also says which of a translation unit's driver arguments the in-process
// compilation keeps, and where Clang's own headers are.
// Surface: emitModule, keepArguments, findResourceDirectory.
#ifndef AUTOKERNEL_VERIFY_ORACLE_FRONTEND_H
#define AUTOKERNEL_VERIFY_ORACLE_FRONTEND_H

#include "verify/oracle/Reference.h"
#include <memory>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace autokernel {

enum class Flavour { Native, NativeO0, Twin };

/// Optimised for Native, as Clang emits it otherwise.
llvm::Expected<std::unique_ptr<llvm::Module>>
emitModule(const ReferenceSource &Source, Flavour F,
           llvm::LLVMContext &Context);

/// Drops what has no meaning here (outputs, warnings, dependency files, debug
/// information, sanitizers, OpenMP, precompiled headers) and what Clang
/// doesn't know (gcc's own flags).
std::vector<std::string> keepArguments(llvm::ArrayRef<std::string> Args);

/// AUTOKERNEL_RESOURCE_DIR in the environment, else beside the Clang library,
/// else as configured.
llvm::Expected<std::string> findResourceDirectory();

} // namespace autokernel

#endif
