//===- Numbers.cpp - half precision in software ---------------------------===//
//
// Conversions round to nearest, ties to even, once, from double: so that fused
// operations computed in double are rounded once as well.
//
//===----------------------------------------------------------------------===//

#include <bit>
#include <cmath>
#include <cstdint>

extern "C" uint16_t __ak_half_from_double(double X) {
  uint64_t Bits = std::bit_cast<uint64_t>(X);
  uint16_t Sign = uint16_t(Bits >> 48 & 0x8000);
  if (std::isnan(X))
    return 0x7fff;
  double Size = std::fabs(X);
  if (Size >= 65520.0)
    return Sign | 0x7c00;
  int Exponent = Size == 0 ? -14 : std::ilogb(Size);
  if (Exponent < -14)
    Exponent = -14;
  // In units of the last place; nearbyint rounds ties to even.
  double Units = std::nearbyint(std::ldexp(Size, 10 - Exponent));
  unsigned Whole = unsigned(Units);
  if (Whole == 2048) {
    Whole = 1024;
    ++Exponent;
  }
  if (Exponent > 15)
    return Sign | 0x7c00;
  unsigned Biased = Whole < 1024 ? 0 : unsigned(Exponent + 15);
  return uint16_t(Sign | Biased << 10 | (Whole & 1023));
}

extern "C" float __ak_half_to_float(uint16_t H) {
  unsigned Exponent = H >> 10 & 31, Fraction = H & 1023;
  float Size = Exponent == 31 ? (Fraction ? std::nanf("") : INFINITY)
               : Exponent == 0
                   ? std::ldexp(float(Fraction), -24)
                   : std::ldexp(float(Fraction + 1024), int(Exponent) - 25);
  return H & 0x8000 ? -Size : Size;
}
