// RUN: not %autokernel scan %s -- -std=c++17 2>&1 | FileCheck %s

void label(float *y, int n) {
  // CHECK: refused [unsupported-statement]: only a jump forward, inside one iteration, can be taken into a kernel
  [[autokernel]] for (int i = 0; i < n; ++i) {
  again:
    y[i] += 1;
    if (y[i] < 10)
      goto again;
  }
}

void declares(float *y, const int *x, int n) {
  // CHECK: refused [unsupported-statement]: an 'if' with a declaration is not taken yet
  [[autokernel]] for (int i = 0; i < n; ++i)
    if (int k = x[i])
      y[i] = k;
}

void handler(float *y, int n) {
  // CHECK: refused [unsupported-statement]: a CXXTryStmt can't be taken into a kernel
  [[autokernel]] for (int i = 0; i < n; ++i) {
    try {
      y[i] = 1;
    } catch (...) {
    }
  }
}
