// Wrong variants of a right kernel: what a verifier must tell from it.
//
// Works on the tokens of the text, as the mistakes of people and models do; a
// mutant that doesn't compile is the compiler's, not the verifier's.
// Surface: Mutant, mutantsOf(), mutated().
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace autokernel {

struct Mutant {
  std::string kind; // "condition dropped", "barrier removed", ...
  unsigned line = 0, column = 0;
  size_t offset = 0, length = 0; // what is replaced
  std::string before, after;
};

/// In the order of the text; none changes comments or directives.
std::vector<Mutant> mutantsOf(const std::string &source);

std::string mutated(const std::string &source, const Mutant &mutant);

} // namespace autokernel
