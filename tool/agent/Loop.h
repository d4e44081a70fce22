// The attempts at one region: ask, judge, say what failed, ask again.
//
// Surface: runAgent(), Budget, AgentResult.
#pragma once

#include "agent/Prompt.h"
#include "agent/Provider.h"
#include "agent/Transcript.h"

namespace autokernel::agent {

/// 0: no limit.
struct Budget {
  unsigned attempts = 5;
  double seconds = 0;
  uint64_t tokens = 0; // of prompts and replies together
  double cost = 0;
  /// For a million tokens of prompt and reply, in the currency of `cost`.
  double inputPrice = 0, outputPrice = 0;
};

/// Judges a whole .cu; an Error only where this machine is at fault.
using Judge = std::function<llvm::Expected<Evidence>(const std::string &)>;
/// Told after each attempt: its number, seconds, and what became of it.
using Progress = std::function<void(unsigned, double, const std::string &)>;

struct AgentResult {
  std::optional<Candidate> kept; // verified
  Evidence evidence;             // of `kept`, else of the last attempt
  std::vector<Attempt> attempts;
  std::string end; // why it ended
  double cost = 0;
  uint64_t tokens = 0;
};

struct AgentRun {
  Task task;
  Judge judge;
  Budget budget;
  Progress progress;
  const std::atomic<bool> *stop = nullptr;
};

/// Goes on where a killed run of the same task ended. Errors: the provider
/// fails for good, or the transcript can't be written; what was verified by
/// then is lost to the caller, not to the transcript.
llvm::Expected<AgentResult> runAgent(const AgentRun &run, Provider &provider,
                                     Transcript &transcript);

/// The first request, as it would leave the machine.
llvm::Expected<std::string> describeTask(const Task &task, Provider &provider);

} // namespace autokernel::agent
