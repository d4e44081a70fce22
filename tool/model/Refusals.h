// The registry of refusals. Surface: refusalSentence(), allRefusals().
#pragma once

#include <string>
#include <vector>

namespace autokernel {

struct RefusalEntry {
  const char *id, *sentence, *anchor;
};

const std::vector<RefusalEntry> &allRefusals();
/// Null for an id that is not in the registry.
const RefusalEntry *findRefusal(const std::string &id);

} // namespace autokernel
