// Whether a candidate computes what its region's loop computes.
//
// Three parties that share no memory: the oracle (the loop and its twin), the
// runner (the candidate on the emulator) and the judge, each a process of its
// own. Surface: verifyOnEmulator().
#pragma once

#include "Types.h"
#include "verify/Plan.h"

#include "llvm/Support/Error.h"

namespace autokernel {

struct VerifyRequest {
  Contract contract;
  std::string reference, referenceFile; // text and name (.c or .cpp)
  std::vector<std::string> compileArgs; // of the translation unit
  std::string candidate, candidateFile;
  PlanOptions plan;
  double seconds = 120; // for each of the two processes
  /// A folder that keeps what the loop computes, for requests that differ in
  /// the candidate alone; or none.
  std::string known;
};

/// An Error only where this machine is at fault; what is wrong with the
/// candidate is in the evidence.
llvm::Expected<Evidence> verifyOnEmulator(const VerifyRequest &request);

/// "autokernel-oracle" and its like: beside the tool or in
/// ../libexec/autokernel.
llvm::Expected<std::string> findHelper(const std::string &name);

} // namespace autokernel
