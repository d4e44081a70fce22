// RUN: not %autokernel scan %s -- -std=c++17 2>&1 | FileCheck %s
#include <string>
#include <vector>

void extended(long double *y, int n) {
  // CHECK: refused [unsupported-type]: 'y' has type 'long double *', which no GPU computes with; use double
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = 0;
}

void quad(const __float128 *x, double *y, int n) {
  // CHECK: refused [unsupported-type]: 'x' has type 'const __float128 *', which no GPU computes with; use double
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = x[i];
}

void pointers(float **y, int n, int m) {
  // CHECK: refused [unsupported-type]: 'y' has type 'float **', which points to pointers; put all rows into one array
  [[autokernel]] for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      y[i][j] = 0;
}

void container(std::vector<long double> &v, int n) {
  // CHECK: refused [unsupported-type]: 'v' has elements of type 'long double', which no GPU computes with; use double
  [[autokernel]] for (int i = 0; i < n; ++i) v[i] = 0;
}

void local(double *y, int n) {
  // CHECK: refused [unsupported-type]: 's' has type 'long double', which no GPU computes with; use double
  [[autokernel]] for (int i = 0; i < n; ++i) {
    long double s = y[i];
    y[i] = s * s;
  }
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

void bits(std::vector<bool> &v, int n) {
  // CHECK: refused [unsupported-type]: 'v' is a std::vector<bool>, whose elements are bits; use std::vector<char>
  [[autokernel]] for (int i = 0; i < n; ++i) v[i] = false;
}

void strings(std::vector<std::string> &v, int *y, int n) {
  // CHECK: refused [unsupported-type]: 'v' has elements of type
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = v[i].size();
}

struct Mixed {
  float x;
  int n;
};

void mixed(Mixed *m, int n) {
  // CHECK: refused [unsupported-type]: 'Mixed' can't be the element of an array: its fields have several types
  [[autokernel]] for (int i = 0; i < n; ++i) m[i].x = m[i].n;
}

struct Virtual {
  float x;
  virtual void f();
};

void virtuals(Virtual *v, int n) {
  // CHECK: refused [unsupported-type]: 'Virtual' can't be the element of an array: it has base classes or virtual functions
  [[autokernel]] for (int i = 0; i < n; ++i) v[i].x = 0;
}
