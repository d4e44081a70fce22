#include "support/Includers.h"

namespace autokernel {

std::set<std::string> includersOf(std::set<std::string> files,
                                  const std::vector<Inclusion> &inclusions) {
  std::map<std::string, std::set<std::string>> includers;
  for (const Inclusion &i : inclusions)
    includers[i.file].insert(i.from);
  std::vector<std::string> open(files.begin(), files.end());
  while (!open.empty()) {
    std::string file = std::move(open.back());
    open.pop_back();
    for (const std::string &by : includers[file])
      if (files.insert(by).second)
        open.push_back(by);
  }
  return files;
}

} // namespace autokernel
