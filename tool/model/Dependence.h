// Whether two accesses can touch one element in different iterations of a loop.
//
// Subscripts are taken apart along their symbolic strides; what that assumes
// comes back as RangeGuards, to be checked at every call. The rest is an
// integer feasibility question that isl answers exactly. No Clang here.
// Surface: DependenceTester.
#pragma once

#include "model/Polynomial.h"

namespace autokernel {

/// One of the subscripts of an array of arrays, and the elements a step of it
/// covers.
struct RowSubscript {
  int64_t stride;
  Value index;
};

struct TestedAccess {
  Value index;
  std::vector<unsigned> path;
  std::vector<Value> conditions;  // each >= 0
  std::vector<RowSubscript> rows; // of A[i][j], outermost first; may be empty
};

struct TestedLoop {
  Value first, last; // inclusive
  int64_t step = 0;  // 0: unknown
};

enum class Conflict {
  None,
  /// Some pair of iterations may touch the same element.
  Possible
};

struct ConflictAnswer {
  Conflict conflict = Conflict::Possible;
  /// Iterations between the two touches, where it is one constant.
  std::optional<int64_t> distance;
  std::vector<RangeGuard> guards; // that the answer None rests on
};

class DependenceTester {
public:
  DependenceTester(const ValueTable &values,
                   const std::vector<TestedLoop> &loops)
      : values(values), loops(loops) {}

  /// Both accesses lie below `loop` in their paths and outer counters are
  /// equal; asks for different values of its counter.
  ConflictAnswer test(unsigned loop, const TestedAccess &a,
                      const TestedAccess &b) const;

  /// Whether `poly` is never negative where `place` is reached.
  bool isNonNegative(const Polynomial &poly, const TestedAccess &place) const;

private:
  const ValueTable &values;
  const std::vector<TestedLoop> &loops;
};

} // namespace autokernel
