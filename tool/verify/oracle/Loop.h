// Runs a region's loop and twin over the cases of a job.
//
// It knows two functions and nothing of how they got into the process: the
// oracle loads objects, a bundle links them. Surface: LoopEntries, runLoop().
#pragma once

#include "verify/Exchange.h"
#include "verify/Job.h"

#include <cstdio>

namespace autokernel {

struct LoopEntries {
  using Call = void (*)(void **);
  Call native = nullptr, twin = nullptr;
};

/// Writes one OracleRecord a case to `file`.
llvm::Error runLoop(const Job &job, LoopEntries entries, std::FILE *file);

} // namespace autokernel
