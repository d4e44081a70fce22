// Which cases a kernel has to pass: sizes, value regimes, index arrays, nulls.
// Surface: planCases(), PlanOptions.
#pragma once

#include "verify/Case.h"

namespace autokernel {

struct PlanOptions {
  uint64_t seed = 1;
  unsigned seeds = 5; // repetitions of the regimes
  unsigned maxCases = 220;
  int64_t maxElements = 1 << 17;   // of one array in an ordinary case
  double maxIterations = 60000;    // of an ordinary case
  int64_t largeElements = 1 << 20; // the few large cases
  double largeIterations = 2.5e6;
};

/// Deterministic in the contract and the seed. Empty where no case lies inside
/// the contract.
std::vector<Case> planCases(const Contract &contract, const Tables &tables,
                            const PlanOptions &options);

} // namespace autokernel
