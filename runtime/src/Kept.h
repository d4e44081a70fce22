// Arrays that the program wants on the device for a while (autokernel/data.h).
//
// Each has a copy on the host and one on the device, of which at least one
// holds the present values. A kernel makes the device's the valid one; before a
// loop runs, or host code looks, the host's is made valid.
//
// Surface: KeptArray, anyKept(), findKept(), makeResident(), loopComesNext(),
// makeHostValid().
#pragma once

#include "Device.h"

#include <cstdint>

namespace autokernel::runtime {

struct KeptArray {
  char *host = nullptr;
  size_t bytes = 0;
  char *block = nullptr; // null until a kernel wants it
  int ordinal = 0;
  bool hostValid = true, deviceValid = false;
};

bool anyKept();

/// The array that holds all of these bytes, or null.
KeptArray *findKept(const char *at, size_t bytes);

/// Makes room on the current device; false when there is none.
bool makeResident(KeptArray &array, int ordinal);

/// The host has the values of all kept arrays; `writes`: the device's copies
/// are out of date from now on.
void loopComesNext(bool writes);

/// The same for the array around `at`, which is going to be read.
void makeHostValid(const char *at);

} // namespace autokernel::runtime
