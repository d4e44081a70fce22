// RUN: not %autokernel scan %s -- -std=c++17 2>&1 | FileCheck %s

int m(int);

void tolerance(float *y, int n) {
  // CHECK: refused [clause]: autokernel_tolerance takes one constant between 0 and 1
  [[autokernel, autokernel_tolerance(2.0)]] for (int i = 0; i < n; ++i) y[i] = 0;
}

void assumption(float *y, int n, float f) {
  // CHECK: refused [clause]: autokernel_assume takes comparisons of integers
  [[autokernel, autokernel_assume(f > 0)]] for (int i = 0; i < n; ++i) y[i] = 0;
}

void reassociation(float *y, int n) {
  // CHECK: refused [clause]: autokernel_reassociate takes on or off
  [[autokernel, autokernel_reassociate(maybe)]] for (int i = 0; i < n; ++i) y[i] = 0;
}

void extent(float *y, int n) {
  // CHECK: refused [clause]: an extent is written as array[elements]
  [[autokernel("extent", n + 1)]] for (int i = 0; i < n; ++i) y[i] = 0;
}

void moving(float *y, int n) {
  // CHECK: refused [clause]: the extent of 'y' can't be computed from the region's scalars
  [[autokernel(y[m(n)])]] for (int i = 0; i < n; ++i) y[i] = 0;
}

void dataScope(float *y, int n) {
  // CHECK: refused [clause]: autokernel_data is not supported yet
  [[autokernel, autokernel_data]] for (int i = 0; i < n; ++i) y[i] = 0;
}
