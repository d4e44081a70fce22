// RUN: not %autokernel scan %s -- -std=c++17 2>&1 | FileCheck %s

#define CLEAR(y, n) for (int i = 0; i < n; ++i) y[i] = 0

void f(float *y, int n) {
  // CHECK: refused [macro-region]: the annotated loop is written by a macro
  [[autokernel]] CLEAR(y, n);
}
