// RUN: not %autokernel scan %s -- -std=c++17 2>&1 | FileCheck %s

float measured(float x);

void apply(float *y, const float *x, int n) {
  // CHECK: refused [call-without-body]: the body of 'measured' can't be seen here
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = measured(x[i]);
}
