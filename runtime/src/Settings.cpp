#include "Settings.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace autokernel::runtime {
namespace {

bool parseMode(const char *text, Mode &mode) {
  static constexpr struct {
    const char *name;
    Mode mode;
  } Names[] = {{"", Mode::Auto},       {"auto", Mode::Auto},
               {"off", Mode::Off},     {"0", Mode::Off},
               {"force", Mode::Force}, {"shadow", Mode::Shadow}};
  for (auto &n : Names)
    if (!std::strcmp(text, n.name)) {
      mode = n.mode;
      return true;
    }
  return false;
}

bool parseFirst(const char *text, uint64_t &n) {
  if (!*text)
    return true;
  const char Prefix[] = "first:";
  if (std::strncmp(text, Prefix, sizeof Prefix - 1))
    return false;
  const char *digits = text + sizeof Prefix - 1;
  if (*digits < '0' || *digits > '9')
    return false;
  char *end = nullptr;
  n = std::strtoull(digits, &end, 10);
  return !*end;
}

Settings &stored() {
  static auto *s = [] {
    auto *made = new Settings(parseSettings(std::getenv("AUTOKERNEL"),
                                            std::getenv("AUTOKERNEL_SHADOW"),
                                            std::getenv("AUTOKERNEL_TRACE")));
    if (!made->complaint.empty())
      std::fprintf(stderr, "autokernel: %s\n", made->complaint.c_str());
    return made;
  }();
  return *s;
}

} // namespace

Settings parseSettings(const char *mode, const char *shadow,
                       const char *trace) {
  Settings s;
  // A value that isn't understood must not start kernels nobody asked for.
  if (mode && !parseMode(mode, s.mode)) {
    s.mode = Mode::Off;
    s.complaint = "AUTOKERNEL=" + std::string(mode) +
                  " is none of auto, off, force, shadow: the loops run";
  }
  if (shadow && !parseFirst(shadow, s.shadowFirst)) {
    s.shadowFirst = 0;
    s.complaint += (s.complaint.empty() ? "" : "; ");
    s.complaint +=
        "AUTOKERNEL_SHADOW=" + std::string(shadow) + " is not first:N: ignored";
  }
  if (trace)
    s.trace = trace;
  return s;
}

const Settings &settings() { return stored(); }

void useSettings(const Settings &s) { stored() = s; }

} // namespace autokernel::runtime
