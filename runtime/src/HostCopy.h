// Copies of host memory that may not all be ours.
//
// Surface: readSafely(), mergeChanges().
#pragma once

#include <cstddef>

namespace autokernel::runtime {

/// False when a part can't be read, instead of a crash.
bool readSafely(char *to, const char *from, size_t bytes);

/// Writes to `host` only the elements in which `now` differs from `before`:
/// what the region doesn't write may belong to other threads.
void mergeChanges(char *host, const char *before, const char *now, size_t bytes,
                  size_t elementBytes);

} // namespace autokernel::runtime
