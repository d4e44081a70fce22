// Compares what the runner's kernel and the oracle's loop produced.
//
// Pure functions over records: no process, no file. Surface: judge().
#pragma once

#include "verify/Case.h"
#include "verify/Exchange.h"

namespace autokernel {

struct Judgement {
  Verdict verdict = Verdict::NotVerified;
  std::optional<Failure> failure;
  unsigned cases = 0;      // compared
  int64_t largestSize = 0; // elements of the largest output, or a larger size
  double worstOfBound = 0;
  std::string worstElement;
  bool bitwise = true;
  std::vector<std::string> gates; // that were passed, in order
};

/// `candidateFile` names the candidate in messages.
Judgement judge(const Contract &contract, const std::vector<Case> &cases,
                const std::vector<OracleRecord> &oracle,
                const std::vector<RunnerRecord> &runner);

} // namespace autokernel
