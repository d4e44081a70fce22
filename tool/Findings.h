// What is wrong, in the forms that CI services read.
//
// Surface: Finding, sarifText(), githubText().
#pragma once

#include "Types.h"

namespace autokernel {

struct Finding {
  std::string rule;   // a refusal's id, or a state of the store
  std::string region; // its id; empty: no region has come of it
  SourcePlace place;
  std::string message;
  std::vector<Refusal::Note> notes;
  std::vector<Refusal::Fix> fixes;
};

/// A log in SARIF 2.1.0.
std::string sarifText(const std::vector<Finding> &findings);

/// Workflow commands of GitHub Actions, one a line.
std::string githubText(const std::vector<Finding> &findings);

} // namespace autokernel
