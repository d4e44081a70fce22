#pragma once
inline void scaled(float *x, int n) {
  [[autokernel]] for (int i = 0; i < n; ++i) x[i] *= 2;
}
