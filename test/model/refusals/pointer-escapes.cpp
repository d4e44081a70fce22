// RUN: not %autokernel scan %s -- -std=c++17 2>&1 | FileCheck %s

void compares(float *y, const float *x, int n) {
  // CHECK: refused [pointer-escapes]: pointers can only be compared with null in a region
  [[autokernel]] for (int i = 0; i < n; ++i)
    if (x != y)
      y[i] = x[i];
}

void addressOfScalar(float *y, int n) {
  // CHECK: refused [pointer-escapes]: the address of 'v' is taken inside the region
  [[autokernel]] for (int i = 0; i < n; ++i) {
    float v = 1;
    float *p = &v;
    y[i] = *p;
  }
}

void twoLevels(float **rows, int n) {
  // CHECK: refused [{{pointer-escapes|unsupported-type}}]
  [[autokernel]] for (int i = 0; i < n; ++i) rows[i][0] = 0;
}
