// autokernel bundle and ingest: verification where there is a GPU but no LLVM.

#include "Commands.h"

namespace autokernel {

llvm::Expected<int> bundleCommand(const Options &) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "bundle is not in this version");
}

llvm::Expected<int> ingestCommand(const Options &) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "ingest is not in this version");
}

} // namespace autokernel
