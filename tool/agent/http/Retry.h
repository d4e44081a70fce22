// When to ask again, and after how long.
// Surface: isTransientStatus(), RetryPolicy, sleepUnless().
#pragma once

#include <atomic>
#include <chrono>
#include <random>

namespace autokernel::agent {

/// Timeouts, conflicts, rate limits, overload (529), errors of the server.
bool isTransientStatus(long status);

struct RetryPolicy {
  unsigned retries = 5;
  double firstDelay = 1;          // seconds; doubles with each retry
  double longestDelay = 30;       // of the doubling
  double longestRetryAfter = 120; // a server that asks for more is given up

  /// Seconds before retry number `retry` (0 is the first). The jitter, down
  /// to half, keeps parallel regions from coming back all at once.
  double delay(unsigned retry, std::minstd_rand &random) const;
};

/// Sleeps; false as soon as `stop` is set.
bool sleepUnless(const std::atomic<bool> &stop,
                 std::chrono::duration<double> time);

} // namespace autokernel::agent
