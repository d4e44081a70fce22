// For programs that through_reference.py runs: each call is made as the loop
// and through the reference, from the same state.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" int use_references, calls;

inline unsigned state = 1;
inline int next() { return (state = state * 1664525u + 1013904223u) >> 16 & 15; }
template <class T> void fill(T &values) {
  for (auto &v : values)
    v = next() + 1;
}

/// `prepare` makes the data anew, `run` calls the region and leaves results in
/// the data.
template <class Prepare, class Run>
void same(const char *name, Prepare prepare, Run run) {
  use_references = calls = 0;
  state = 7;
  auto before = prepare();
  state = 7;
  auto loop = prepare();
  run(loop);
  state = 7;
  auto reference = prepare();
  use_references = 1;
  run(reference);
  bool ok = calls == 1 && loop == reference && !(loop == before);
  std::printf("%s %s\n", name, ok ? "same" : "DIFFERENT");
  if (!ok)
    std::exit(1);
}
