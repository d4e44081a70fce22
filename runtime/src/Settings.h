// What the environment asks of the runtime.
//
//   AUTOKERNEL=auto|off|force|shadow     which of kernel and loop runs
//   AUTOKERNEL_SHADOW=first:N            compare at each region's first N calls
//   AUTOKERNEL_TRACE=file.json           write a Chrome trace at exit
//
// Surface: Mode, Settings, parseSettings(), settings(), useSettings().
#pragma once

#include <cstdint>
#include <string>

namespace autokernel::runtime {

enum class Mode { Auto, Off, Force, Shadow };

struct Settings {
  Mode mode = Mode::Auto;
  uint64_t shadowFirst = 0;
  std::string trace;
  std::string complaint; // about values that mean nothing
};

/// Each argument may be null, as getenv() answers.
Settings parseSettings(const char *mode, const char *shadow, const char *trace);

/// Read from the environment at the first call.
const Settings &settings();

/// For tests.
void useSettings(const Settings &s);

} // namespace autokernel::runtime
