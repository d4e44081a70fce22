// What a model is asked: texts from templates/prompt, filled from the contract.
//
// Surface: Task, systemPrompt(), taskPrompt(), feedbackPrompt(), PromptVersion.
#pragma once

#include "Types.h"

#include "llvm/Support/Error.h"

namespace autokernel::agent {

/// Changes whenever the same task makes another prompt.
inline constexpr unsigned PromptVersion = 1;

struct Task {
  const Model *model = nullptr;
  std::string templateKernel; // verified; empty where there is none
  std::string templateLimit;  // why
  std::string device;         // facts about the device, as a sentence
  std::string promptFolder;   // templates of the user's; empty: the embedded
};

/// One line of the attempts' table.
struct Tried {
  unsigned number = 0;
  std::string idea, result;
};

/// Errors: a template of the user's that can't be read.
llvm::Expected<std::string> systemPrompt(const Task &task);
llvm::Expected<std::string> taskPrompt(const Task &task);
llvm::Expected<std::string> feedbackPrompt(const Task &task,
                                           const std::string &feedback,
                                           const std::vector<Tried> &tried,
                                           bool freshIdea);

} // namespace autokernel::agent
