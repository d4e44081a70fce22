// What the instrumented reference and the twin's run time agree on: the shadow
// triple, the numbers of the math functions and the names of the entry points.
// A shadow is held in double for half, bfloat and float, and in long double
// for double ("narrow" and "wide", suffixes _d and _x).
#ifndef AUTOKERNEL_VERIFY_ORACLE_TWINABI_H
#define AUTOKERNEL_VERIFY_ORACLE_TWINABI_H

#include "verify/oracle/FloatKind.h"

namespace autokernel {

template <class T> struct Shadow {
  T Value;        ///< what the expression is worth
  T Magnitude;    ///< sum of |terms| of the sum that made it, else |value|
  T SquaredError; ///< variance-like running error of the loop's own order
};

/// A sum in another order has other partial sums, up to its magnitude: where
/// a sum ends, (factor * u * (magnitude - |value|))^2 joins its error. Two of
/// it cover a reduction by 32 lanes or more over 1e5 terms in the worst order
/// (all the lane's terms of one sign: 3.4 u magnitude, one standard deviation,
/// against an accepted 16).
inline constexpr double ReorderFactor = 2;

template <class T>
constexpr T reorderError2(FloatKind Kind, T Value, T Magnitude) {
  T Cancelled = Magnitude - (Value < 0 ? -Value : Value);
  T Error = T(ReorderFactor * unitRoundoff(Kind)) * Cancelled;
  return Cancelled > 0 ? Error * Error : T(0);
}

enum class TwinFunction : uint32_t {
#define FUNCTION1(Name, FloatUlp, DoubleUlp) Name,
#define FUNCTION2(Name, FloatUlp, DoubleUlp) Name,
#include "verify/oracle/TwinFunctions.def"
};

} // namespace autokernel

// The entry points; the instrumentation declares them by these names.
extern "C" {
/// The shadow of a native value just read from an address. Valid until the
/// next call.
const autokernel::Shadow<double> *autokernel_twin_load_d(const void *Address,
                                                         uint64_t Bits,
                                                         double Native,
                                                         uint32_t Kind);
const autokernel::Shadow<long double> *
autokernel_twin_load_x(const void *Address, uint64_t Bits, long double Native,
                       uint32_t Kind);
void autokernel_twin_store_d(void *Address, uint64_t Bits, uint32_t Kind,
                             double Value, double Magnitude, double Error2);
void autokernel_twin_store_x(void *Address, uint64_t Bits, uint32_t Kind,
                             long double Value, long double Magnitude,
                             long double Error2);
void autokernel_twin_copy(void *To, const void *From, uint64_t Size);
void autokernel_twin_clear(void *At, uint64_t Size);

const autokernel::Shadow<double> *
autokernel_twin_math1_d(uint32_t Function, uint32_t Kind, double Native,
                        double Value, double Magnitude, double Error2);
const autokernel::Shadow<long double> *
autokernel_twin_math1_x(uint32_t Function, uint32_t Kind, long double Native,
                        long double Value, long double Magnitude,
                        long double Error2);
const autokernel::Shadow<double> *
autokernel_twin_math2_d(uint32_t Function, uint32_t Kind, double Native,
                        double Value1, double Magnitude1, double Error1,
                        double Value2, double Magnitude2, double Error2);
const autokernel::Shadow<long double> *
autokernel_twin_math2_x(uint32_t Function, uint32_t Kind, long double Native,
                        long double Value1, long double Magnitude1,
                        long double Error1, long double Value2,
                        long double Magnitude2, long double Error2);

/// Something without a shadow rule was executed.
void autokernel_twin_missing(const char *Name);
}

#endif
