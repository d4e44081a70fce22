// The folder through which the tool talks to the oracle and the runner.
// Surface: Job, writeJob(), readJob(), file names.
#pragma once

#include "verify/Case.h"

namespace autokernel {

namespace jobfile {
inline constexpr char Job[] = "job.json";
inline constexpr char Native[] = "native.o", NativeO0[] = "native-o0.o",
                      Twin[] = "twin.o";
inline constexpr char Candidate[] = "candidate.o",
                      CandidateFused[] = "candidate-fused.o";
inline constexpr char OracleResult[] = "oracle.bin",
                      RunnerResult[] = "runner.bin";
} // namespace jobfile

/// What both processes need to make the same inputs.
struct Job {
  Contract contract;
  std::vector<Case> cases;
  int64_t maxElements = 0;
  double maxIterations = 0;
  double launchSeconds = 20;
  double seconds = 120; // of processor time, for all
};

llvm::Error writeJob(const std::string &folder, const Job &job);
llvm::Expected<Job> readJob(const std::string &folder);

} // namespace autokernel
