// Whether the kernel is worth it in mode `auto`.
//
// A break-even size measured on a device decides where the region has one.
// Otherwise a rough model does: the loop takes LoopNanoseconds an iteration;
// the kernel takes a fixed time for launch and synchronisation, and copies at
// the rate that pageable memory reaches over PCIe. Below SmallestWork
// iterations nothing is worth a launch. Wrong guesses cost time, never results.
//
// Surface: worthALook(), pays().
#pragma once

#include "autokernel/dispatch.h"

namespace autokernel::runtime {

constexpr double SmallestWork = 1 << 16;
constexpr double LoopNanoseconds = 1;
constexpr double LaunchNanoseconds = 20'000;
constexpr double CopyBytesPerNanosecond = 8;

/// False: not even asking for a device pays.
inline bool worthALook(const RegionInfo &info, double work) {
  return work >= (info.breakEvenElements > 0 ? double(info.breakEvenElements)
                                             : SmallestWork);
}

/// `traffic` is what the kernel needs copied, `stale` what the loop does.
inline bool pays(const RegionInfo &info, double work, size_t traffic,
                 size_t stale) {
  if (info.breakEvenElements > 0 && stale == 0)
    return work >= double(info.breakEvenElements);
  double loop = work * LoopNanoseconds + double(stale) / CopyBytesPerNanosecond;
  return loop > LaunchNanoseconds + double(traffic) / CopyBytesPerNanosecond;
}

} // namespace autokernel::runtime
