// Whether this machine has a device and a driver that work, asked once.
//
// Asking initialises CUDA, which takes a good part of a second where there is a
// device; so dispatch asks only when a kernel would otherwise run.
//
// Surface: deviceUsable(), deviceKnownAbsent().
#pragma once

namespace autokernel::runtime {

bool deviceUsable();

/// True only after deviceUsable() has answered no.
bool deviceKnownAbsent();

} // namespace autokernel::runtime
