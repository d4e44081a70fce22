// RUN: not %autokernel generate --kernel-dir %t %s -- -std=c++17 2>&1 | FileCheck %s

void bounded(float *y, const float *x, const int *count) {
  // CHECK: refused [generator-limit]: the bounds of the loop over 'i' can't be computed before the launch
  [[autokernel]] for (int i = 0; i < count[0]; ++i) y[i] = x[i];
}
