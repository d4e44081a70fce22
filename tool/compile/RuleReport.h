// Private to the rule checker: collects violations from several passes over
// one candidate, each once and in the order of the text.
#ifndef AUTOKERNEL_COMPILE_RULEREPORT_H
#define AUTOKERNEL_COMPILE_RULEREPORT_H

#include "compile/Rules.h"
#include <algorithm>
#include <map>
#include <tuple>

namespace autokernel {

class RuleReport {
public:
  void add(RuleId Id, unsigned Line, unsigned Column, std::string Message) {
    // The same finding comes up in each compilation.
    Found.try_emplace({Line, Column, Id}, std::move(Message));
  }

  bool empty() const { return Found.empty(); }

  std::vector<RuleViolation> violations() const {
    std::vector<RuleViolation> Result;
    for (const auto &[Key, Message] : Found) {
      const auto &[Line, Column, Id] = Key;
      Result.push_back({Id, Line, Column, Message});
    }
    // What a broken rule made fail to compile is no news.
    std::stable_partition(
        Result.begin(), Result.end(),
        [](const RuleViolation &V) { return V.Id != RuleId::Parse; });
    return Result;
  }

private:
  std::map<std::tuple<unsigned, unsigned, RuleId>, std::string> Found;
};

/// Directives, macros' names, reserved names, characters.
void checkTokens(llvm::StringRef Candidate, const RuleRequest &Request,
                 RuleReport &Report);

} // namespace autokernel

#endif
