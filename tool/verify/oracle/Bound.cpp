#include "verify/oracle/Bound.h"
#include <algorithm>
#include <cmath>

namespace autokernel {

double acceptBound(const TwinValue &Twin, double LoopError, FloatKind Kind) {
  if (Twin.Error == 0 && LoopError == 0)
    return 0;
  // Not std::max: a NaN must reach the result.
  double Own = ErrorFactor * Twin.Error;
  double Base = LoopError > Own || std::isnan(LoopError) ? LoopError : Own;
  double Ulps = BoundUlps * 2 * unitRoundoff(Kind) *
                std::abs(static_cast<double>(Twin.Value));
  return BoundFactor * Base + Ulps + smallestDenormal(Kind);
}

using Reason = CompareResult::Reason;

static CompareResult equalOr(bool Equal, Reason Otherwise) {
  return {Equal ? Reason::Equal : Otherwise, 0, 0};
}

/// Each test asks for what is right; whatever is left over, NaN included,
/// falls through to a refusal.
CompareResult compareElement(double Got, double Loop, const TwinValue &Twin,
                             FloatKind Kind) {
  if (std::isnan(Loop) || std::isnan(Got))
    return equalOr(std::isnan(Loop) && std::isnan(Got), Reason::WrongNaN);
  if (std::isinf(Loop) || std::isinf(Got))
    return equalOr(Got == Loop, Reason::WrongInfinity);
  if (!Twin.Known)
    return equalOr(Got == Loop, Reason::NotExact);

  auto Away = [&](double V) {
    return double(std::abs(static_cast<long double>(V) - Twin.Value));
  };
  CompareResult Result;
  Result.Distance = Away(Got);
  Result.Bound = acceptBound(Twin, Away(Loop), Kind);
  if (Got == Loop)
    Result.Why = Reason::Equal;
  else if (Result.Bound == 0 || !std::isfinite(Result.Bound))
    Result.Why = Reason::NotExact;
  else if (Result.Distance <= Result.Bound)
    Result.Why = Reason::WithinBound;
  else
    Result.Why = Reason::TooFar;
  return Result;
}

} // namespace autokernel
