// Whether a call is one that the kernel was verified for.
//
// From the contract's tables and the actual arguments: which elements of each
// array the region can touch, how much work there is, and the first guard that
// fails. Nothing is written and no device is needed, except to read index
// arrays that live on one.
//
// Surface: Reason, Plan, estimateWork(), checkGuards().
#pragma once

#include "autokernel/dispatch.h"

namespace autokernel::runtime {

/// A failed guard in static text; `which` names the parameter concerned.
struct Reason {
  const char *what = nullptr;
  const char *which = "";
  explicit operator bool() const { return what; }
};

struct Plan {
  /// Elements that can be touched, by parameter; scalars stay empty.
  Interval ranges[MaxParams];
  /// The write accesses reach enough places to cover the range.
  bool covered[MaxParams] = {};
  /// The ends of the range are reached, or the user vouches for the extent.
  bool attained[MaxParams] = {};
  bool nothingToDo = false;
  /// Iterations of the access that happens most often.
  double work = 0;
  /// How many terms add up in one result, at most.
  double depth = 1;
};

/// Iterations, as far as scalars alone tell; infinity when they don't.
double estimateWork(const RegionInfo &info, const Argument *arguments);

Reason checkGuards(const RegionInfo &info, const Argument *arguments,
                   Plan &plan);

} // namespace autokernel::runtime
