// Whether the ends of an access's range are really reached.
//
// touched() may answer more than the region touches: a condition on two
// counters, a remainder, indices from data. Memory beyond the ends may belong
// to nobody or to somebody else; then arrays are copied with more care.
//
// Surface: endsAttained().
#pragma once

#include "autokernel/extent.h"

namespace autokernel::runtime {

/// False when in doubt.
bool endsAttained(const Env &env, const AccessCode &access);

} // namespace autokernel::runtime
