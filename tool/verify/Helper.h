// The processes of a verification: started, waited for, ended on time.
// Surface: Helper, HelperEnd; findHelper() is declared in Verify.h.
#pragma once

#include "llvm/Support/Error.h"

#include <chrono>
#include <memory>
#include <string>

namespace autokernel {

/// How a helper ended.
struct HelperEnd {
  int exitCode = 0; // -1: by a signal
  bool outOfTime = false;
  std::string text; // what went wrong, as it reads after "the process"
  bool good() const { return exitCode == 0; }
};

/// What the death by a signal means, as it reads after "the process".
std::string signalText(int number);

/// A helper over a job's folder. It doesn't outlive this object.
class Helper {
public:
  static llvm::Expected<std::unique_ptr<Helper>>
  start(const std::string &name, const std::string &folder);
  ~Helper();
  Helper(const Helper &) = delete;

  /// Kills it `seconds` after its start.
  HelperEnd wait(double seconds);

private:
  Helper() = default;
  HelperEnd ended(int status);

  int pid = 0; // 0: reaped
  std::string log;
  std::chrono::steady_clock::time_point begin;
};

} // namespace autokernel
