// RUN: not %autokernel scan %s -- -std=c++17 2>&1 | FileCheck %s

void chase(float *y, const int *next, int n) {
  // CHECK: refused [unknown-extent]: how far 'next[k]' reaches can't be derived
  // CHECK: give the extent in the attribute
  [[autokernel, autokernel_independent]] for (int i = 0; i < n; ++i) {
    int k = i;
    while (next[k] > k)
      k = next[k];
    y[k] = 1;
  }
}
