// The floating types that a reference computes in, and what the error model
// needs to know about each. Shared by the instrumentation, the twin's run time
// and the comparator; header only, no LLVM.
#ifndef AUTOKERNEL_VERIFY_ORACLE_FLOATKIND_H
#define AUTOKERNEL_VERIFY_ORACLE_FLOATKIND_H

#include <cstdint>

namespace autokernel {

enum class FloatKind : uint32_t {
  None,
  Half,
  BFloat,
  Float,
  Double,
  Extended, // long double; compared as double, never stored with a shadow
};

constexpr unsigned byteSize(FloatKind K) {
  constexpr unsigned Size[] = {0, 2, 2, 4, 8, 16};
  return Size[unsigned(K)];
}

/// Half a unit in the last place, relative: the largest error of one rounding.
constexpr double unitRoundoff(FloatKind K) {
  constexpr double U[] = {0, 0x1p-11, 0x1p-8, 0x1p-24, 0x1p-53, 0x1p-64};
  return U[unsigned(K)];
}

/// Smallest denormal: the absolute error of a rounding near zero.
constexpr double smallestDenormal(FloatKind K) {
  constexpr double Eta[] = {0, 0x1p-24, 0x1p-133, 0x1p-149, 0x1p-1074, 0};
  return Eta[unsigned(K)];
}

} // namespace autokernel

#endif
