// Entry points with one signature for every region.
//
// A reference or candidate has typed parameters; these lines, put after its
// text, let a process call it with an array of pointers to the values.
// Surface: referenceWithEntry(), candidateWithEntry(), launcherParameters().
#pragma once

#include "Types.h"

namespace autokernel {

inline constexpr char CandidateEntry[] = "autokernel_candidate_call";
inline constexpr char CandidateWorkspace[] = "autokernel_candidate_workspace";

std::string referenceWithEntry(const Contract &contract,
                               const std::string &reference);
std::string candidateWithEntry(const Contract &contract,
                               const std::string &source);
/// C types and names of the launcher's contract parameters.
std::vector<std::pair<std::string, std::string>>
launcherParameters(const Contract &contract);

} // namespace autokernel
