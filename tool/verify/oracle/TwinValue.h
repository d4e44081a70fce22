// What the twin knows of one element. Plain data, for the comparator.
// Surface: TwinValue.
#ifndef AUTOKERNEL_VERIFY_ORACLE_TWINVALUE_H
#define AUTOKERNEL_VERIFY_ORACLE_TWINVALUE_H

namespace autokernel {

struct TwinValue {
  long double Value = 0; ///< in higher precision
  double Magnitude = 0;  ///< sum of |terms|
  double Error = 0;      ///< running error of the loop and of other orders
  bool Known = false;    ///< false: no shadow, the element counts as exact
};

} // namespace autokernel

#endif
