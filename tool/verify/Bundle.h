// Packs the verification of one kernel into a program that needs only a GPU.
//
// The loop and its twin (compiled here), the kernel (by nvcc) and the cases are
// linked with the harness; the program verifies on the machine it is started on
// and prints evidence. Surface: makeBundle().
#pragma once

#include "verify/Verify.h"

namespace autokernel {

struct BundleRequest {
  VerifyRequest verify;
  Evidence known; // fingerprint, digest, tool: copied into the result
  std::vector<std::string> architectures; // "80", "90"
  std::string output;
};

llvm::Error makeBundle(const BundleRequest &request);

} // namespace autokernel
