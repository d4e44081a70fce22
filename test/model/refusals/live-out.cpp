// RUN: not %autokernel scan %s -- -std=c++17 2>&1 | FileCheck %s
// After a loop that ends at '!=' the counter can't be given its last value.
int counts(float *y, int n) {
  int i;
  // CHECK: refused [live-out]: the counter 'i' may be read after the region
  [[autokernel]] for (i = 0; i != n; ++i) y[i] = 0;
  return i;
}

int inner(float *y, int n, int m) {
  int j;
  // CHECK: refused [live-out]: the counter 'j' may be read after the region
  [[autokernel]] for (int i = 0; i < n; ++i)
    for (j = 0; j < m; ++j)
      y[i * m + j] = 0;
  return j;
}

int maybe(float *y, int n, bool c) {
  int i = 77;
  // CHECK: refused [live-out]: the counter 'i' may be read after the region
  [[autokernel]] { if (c) for (i = 0; i < n; ++i) y[i] = 0; }
  return i;
}
