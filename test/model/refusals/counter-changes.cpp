// RUN: not %autokernel scan %s -- -std=c++17 2>&1 | FileCheck %s

void skips(float *y, int n) {
  // CHECK: refused [counter-changes]: the counter 'i' is changed in the loop's body
  [[autokernel]] for (int i = 0; i < n; ++i) {
    y[i] = 0;
    if (y[i] > 1)
      ++i;
  }
}

void movingEnd(float *y, int n) {
  // CHECK: refused [counter-changes]: the loop's bound uses 'n', which its body changes
  [[autokernel]] for (int i = 0; i < n; ++i) {
    y[i] = 0;
    n -= 1;
  }
}
