// RUN: not %autokernel scan %s -- -std=c++17 2>&1 | FileCheck %s

void walks(float *y, const float *x, int n) {
  // CHECK: refused [pointer-changes]: the pointer 'x' is assigned inside the region
  [[autokernel]] for (int i = 0; i < n; ++i) {
    y[i] = *x;
    ++x;
  }
}

void chooses(float *y, const float *a, const float *b, int n, int which) {
  // CHECK: refused [pointer-changes]: where 'source' points can't be told from its declaration
  [[autokernel]] for (int i = 0; i < n; ++i) {
    const float *source = which ? a : b;
    y[i] = source[i];
  }
}
