// The sandbox's list of system calls. Surface: filterSystemCalls().
#pragma once

namespace autokernel {

/// From here on this process only computes and uses its open files: an attempt
/// to open another fails, anything else that isn't needed ends the process by
/// SIGSYS. False where the kernel has no such filters.
bool filterSystemCalls();

} // namespace autokernel
