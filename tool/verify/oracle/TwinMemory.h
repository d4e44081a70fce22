// The twin's shadow memory, keyed by address, process-wide (the instrumented
// code calls it without a context; the oracle runs one case at a time).
// Surface: findShadow, forgetShadows, missingShadows. The entry points that
// the instrumented code calls are in TwinAbi.h.
#ifndef AUTOKERNEL_VERIFY_ORACLE_TWINMEMORY_H
#define AUTOKERNEL_VERIFY_ORACLE_TWINMEMORY_H

#include "verify/oracle/TwinAbi.h"
#include "verify/oracle/TwinValue.h"
#include <set>
#include <string>

namespace autokernel {

struct FoundShadow {
  FloatKind Kind = FloatKind::None; ///< None: nothing valid is known
  Shadow<long double> Triple = {};
};

/// The shadow of the element as it lies in memory now: invalid when its bytes
/// have changed since it was stored.
FoundShadow findShadow(const void *Element, unsigned ByteSize);

/// The same, with the error that sums in another order have as well.
TwinValue twinValueOf(const void *Element, unsigned ByteSize);

void forgetShadows();

/// Names of what ran without a rule since the last forgetShadows.
const std::set<std::string> &missingShadows();

} // namespace autokernel

#endif
