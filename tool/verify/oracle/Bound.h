// How far a kernel may be from the twin, and the comparison of one element.
// The bound comes from the loop's own conditioning; there is no constant
// tolerance. NaN and infinities follow the loop.
// Surface: acceptBound, compareElement.
#ifndef AUTOKERNEL_VERIFY_ORACLE_BOUND_H
#define AUTOKERNEL_VERIFY_ORACLE_BOUND_H

#include "verify/oracle/FloatKind.h"
#include "verify/oracle/TwinValue.h"

namespace autokernel {

/// |kernel - twin| <= BoundFactor * max(|loop - twin|, ErrorFactor * Error)
///                    + BoundUlps ulps of |value| + the smallest denormal.
///
/// BoundFactor: the loop's actual error is one draw; a kernel of another order
/// of operations is another draw of the same distribution.
/// ErrorFactor: Error adds worst-case roundings in quadrature, so it is about
/// sqrt(3) standard deviations of their sum; 4 * 2 of it are nearly 14, and
/// leave a kernel room for other roundings (a reciprocal for a division, fused
/// or not), while one precision less (2^8 or more a rounding) is far outside.
/// BoundUlps: the rounding of the final store and of a double rounding.
inline constexpr double BoundFactor = 4, ErrorFactor = 2, BoundUlps = 2;

/// Zero where the loop itself is exact (copies, gathers, minimum and maximum):
/// those compare bit for bit. Infinite or NaN where the twin broke down.
double acceptBound(const TwinValue &Twin, double LoopError, FloatKind Kind);

struct CompareResult {
  enum class Reason {
    Equal, ///< same value, or NaN and NaN, or the same infinity
    WithinBound,
    TooFar,       ///< further from the twin than the bound
    NotExact,     ///< exact in the loop, or without a shadow, and different
    WrongNaN,     ///< NaN on one side only
    WrongInfinity ///< infinite on one side only, or the other sign
  };
  Reason Why = Reason::NotExact;
  double Distance = 0; ///< |kernel - twin|
  double Bound = 0;
  bool accepted() const {
    return Why == Reason::Equal || Why == Reason::WithinBound;
  }
};

/// Values of any kind are passed as double, which holds them all exactly.
CompareResult compareElement(double Got, double Loop, const TwinValue &Twin,
                             FloatKind Kind);

} // namespace autokernel

#endif
