// A small generator whose sequence is the same everywhere (splitmix64).
#pragma once

#include <cstdint>

namespace autokernel {

class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  /// In [0, bound); bound > 0.
  uint64_t below(uint64_t bound) { return next() % bound; }
  /// In [0, 1).
  double unit() { return double(next() >> 11) * 0x1p-53; }
  template <class List> const auto &pick(const List &list) {
    return list[below(std::size(list))];
  }

private:
  uint64_t state;
};

} // namespace autokernel
