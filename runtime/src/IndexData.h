// Smallest and largest value in the touched part of an index array.
//
// Surface: valuesIn().
#pragma once

#include "autokernel/dispatch.h"

namespace autokernel::runtime {

/// Not known for floats, for values beyond 2^63 and when a copy from the device
/// fails. `range` is not empty.
Interval valuesIn(const ParamInfo &param, const void *array, Interval range);

} // namespace autokernel::runtime
