// RUN: not %autokernel scan %s -- -std=c++17 2>&1 | FileCheck %s

#define CLEAR_BOTH(y, z, n) \
  z[0] = 0; \
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = 0

void f(float *y, float *z, int n) {
  // CHECK: refused [macro-region]: the annotated loop is written by a macro
  CLEAR_BOTH(y, z, n);
}
