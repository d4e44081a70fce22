// A timeline of the dispatches, for chrome://tracing and Perfetto.
//
// Off unless AUTOKERNEL_TRACE names a file; that file is written at exit.
//
// Surface: tracing(), Span, traceText().
#pragma once

#include <cstdint>
#include <string>

namespace autokernel::runtime {

bool tracing();

/// From construction to destruction, on this thread. Texts must be static.
class Span {
public:
  Span(const char *name, const char *region);
  ~Span();
  Span(const Span &) = delete;
  Span &operator=(const Span &) = delete;
  void bytes(uint64_t n) { size = n; }
  void outcome(const char *text, const char *which = "") {
    result = text;
    about = which;
  }

private:
  const char *name, *region;
  const char *result = nullptr, *about = "";
  uint64_t size = 0;
  int64_t begin = 0;
};

/// All events so far as one JSON object.
std::string traceText();

void clearTrace(); // for tests

} // namespace autokernel::runtime
