#pragma once
#include "detail/weights.h"
#if defined(__GNUC__) && !defined(__clang__)
#include "detail/gcc_only.h"
#else
constexpr int other_compiler = 0;
#endif
#define NAME_OF_SCALE "detail/scale.h"
#include NAME_OF_SCALE

inline void relax(int n, const float *now, float *next) {
  [[autokernel]] for (int i = 1; i < n - 1; ++i)
    next[i] = now[i - 1] * weight + now[i + 1] + other_compiler;
}

struct Field {
  int n;
  double *x;
  void square() {
    [[autokernel("square")]] for (int i = 0; i < n; ++i) x[i] = x[i] * x[i];
  }
};
