#include "model/Refusals.h"

namespace autokernel {

const std::vector<RefusalEntry> &allRefusals() {
  static const std::vector<RefusalEntry> entries = {
#define REFUSAL(id, sentence, anchor) {id, sentence, anchor},
#include "model/Refusals.def"
  };
  return entries;
}

const RefusalEntry *findRefusal(const std::string &id) {
  for (const RefusalEntry &entry : allRefusals())
    if (id == entry.id)
      return &entry;
  return nullptr;
}

} // namespace autokernel
