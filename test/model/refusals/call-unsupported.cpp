// RUN: not %autokernel scan %s -- -std=c++17 2>&1 | FileCheck %s

static float twice(float x) { return 2 * x; }

void withBody(float *y, const float *x, int n) {
  // CHECK: refused [call-unsupported]: calls of 'twice' are not taken into kernels yet
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = twice(x[i]);
}
