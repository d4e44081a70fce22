#include "agent/http/Retry.h"

#include <algorithm>
#include <thread>

namespace autokernel::agent {

bool isTransientStatus(long status) {
  return status == 408 || status == 409 || status == 425 || status == 429 ||
         (status >= 500 && status != 501 && status != 505);
}

double RetryPolicy::delay(unsigned retry, std::minstd_rand &random) const {
  double full = firstDelay * double(1u << std::min(retry, 20u));
  std::uniform_real_distribution<double> jitter(0.5, 1);
  return std::min(full, longestDelay) * jitter(random);
}

bool sleepUnless(const std::atomic<bool> &stop,
                 std::chrono::duration<double> time) {
  using Clock = std::chrono::steady_clock;
  auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(time);
  for (;;) {
    if (stop)
      return false;
    auto left = end - Clock::now();
    if (left <= Clock::duration::zero())
      return true;
    std::this_thread::sleep_for(
        std::min<Clock::duration>(left, std::chrono::milliseconds(100)));
  }
}

} // namespace autokernel::agent
