// Compiles a candidate with nvcc and reports what its kernels use. What is
// wrong with the candidate comes back as data (it goes to the generator); an
// llvm::Error means that this machine or the request is at fault: no nvcc,
// no such architecture, out of time.
// Surface: findNvcc, compileWithNvcc; parseNvccLog for the tests.
#ifndef AUTOKERNEL_COMPILE_NVCC_H
#define AUTOKERNEL_COMPILE_NVCC_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace autokernel {

struct NvccRequest {
  std::string Source;
  std::string FileName = "candidate.cu"; ///< as diagnostics name it
  std::vector<std::string> Architectures = {"sm_80", "sm_90"};
  std::vector<std::string> Args = {"-std=c++17", "-O3"};
  std::string ToolkitFolder; ///< also looked in, with and without bin/
  unsigned TimeoutSeconds = 120;
  bool KeepObject = false;
};

struct NvccDiagnostic {
  std::string File; ///< empty where the tool names none (ptxas)
  unsigned Line = 0;
  bool IsError = false; ///< else a warning
  std::string Message;
};

/// One kernel on one architecture, as ptxas reports it.
struct KernelResources {
  std::string Kernel; ///< demangled
  std::string Architecture;
  unsigned Registers = 0, Barriers = 0;
  unsigned StackBytes = 0, SpillStoreBytes = 0, SpillLoadBytes = 0;
  unsigned SharedBytes = 0; ///< static
  unsigned ConstantBytes = 0;
};

struct NvccResult {
  bool Compiled = false;
  std::vector<NvccDiagnostic> Diagnostics;
  std::vector<KernelResources> Kernels;
  std::string Object; ///< if KeepObject
  std::string Log;    ///< everything that nvcc wrote
};

/// CUDACXX, then PATH, then the folder given, then /usr/local/cuda.
llvm::Expected<std::string> findNvcc(llvm::StringRef ToolkitFolder = "");

llvm::Expected<NvccResult> compileWithNvcc(const NvccRequest &Request);

/// Fills Diagnostics and Kernels from what nvcc and ptxas wrote.
void parseNvccLog(llvm::StringRef Log, NvccResult &Result);

} // namespace autokernel

#endif
