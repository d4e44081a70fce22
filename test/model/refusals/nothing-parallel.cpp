// RUN: not %autokernel scan %s -- -std=c++17 2>&1 | FileCheck %s

void straight(float *y, float a) {
  // CHECK: refused [nothing-parallel]: there is no loop in this region that could run in parallel
  [[autokernel]] { y[0] = a; y[1] = 2 * a; }
}
