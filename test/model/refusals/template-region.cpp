// RUN: not %autokernel scan %s -- -std=c++17 2>&1 | FileCheck %s

template <class T> void clear(T *y, int n) {
  // CHECK: refused [template-region]: loops in templates are not taken yet
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = 0;
}

void use(float *y) { clear(y, 3); }
