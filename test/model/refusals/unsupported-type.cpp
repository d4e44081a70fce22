// RUN: not %autokernel scan %s -- -std=c++17 2>&1 | FileCheck %s

void extended(long double *y, int n) {
  // CHECK: refused [unsupported-type]: 'y' has type 'long double *', which kernels can't take yet
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = 0;
}

struct Pair {
  float a, b;
};

void structs(Pair *y, const Pair *x, int n) {
  // CHECK: refused [unsupported-type]: '{{[xy]}}' has type
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = x[i];
}

void callback(float *y, const float *x, int n, float (*f)(float)) {
  // CHECK: refused [unsupported-type]: 'f' has type 'float (*)(float)'
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = f(x[i]);
}

void localStruct(float *y, int n) {
  // CHECK: refused [unsupported-type]: 'p' has type 'Pair', which kernels can't hold yet
  [[autokernel]] for (int i = 0; i < n; ++i) {
    Pair p = {1, 2};
    y[i] = 0;
  }
}
