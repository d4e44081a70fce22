// A contract's index expressions in the form that extent.h evaluates.
// Surface: Tables.
#pragma once

#include "Types.h"

namespace autokernel {

/// Points into the contract, which has to live as long.
class Tables {
public:
  explicit Tables(const Contract &contract);

  Env env(const std::vector<int64_t> &scalars,
          const std::vector<Interval> &data) const {
    return {scalars.data(), data.data(), loops.data()};
  }
  const std::vector<AccessCode> &accesses() const { return accessCodes; }
  static Code code(const IndexExpr &e) {
    return {e.code.data(), unsigned(e.code.size())};
  }

  /// All RangeGuards and assumptions hold.
  bool guardsHold(const Env &env) const;
  /// What running the loops costs the emulator, in innermost iterations.
  double iterations(const Env &env) const;
  /// No loop is known to have no iterations.
  bool everyLoopRuns(const Env &env) const;
  /// What array `param` is touched in: the hull of its accesses, or its
  /// declared extent where those have no bounds.
  Interval touchedBy(const Env &env, unsigned param) const;

private:
  bool isAround(unsigned loop) const;

  const Contract &contract;
  std::vector<LoopCode> loops;
  std::vector<AccessCode> accessCodes;
  std::vector<std::vector<Code>> conditions;
};

} // namespace autokernel
