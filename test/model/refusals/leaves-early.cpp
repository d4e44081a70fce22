// RUN: not %autokernel scan %s -- -std=c++17 2>&1 | FileCheck %s

int find(const int *x, int n, int key) {
  int at = -1;
  // CHECK: refused [leaves-early]: the loop is left early here
  [[autokernel]] for (int i = 0; i < n; ++i)
    if (x[i] == key) {
      at = i;
      break;
    }
  return at;
}

int any(const int *x, int n) {
  // CHECK: refused [leaves-early]: 'return' leaves the region before its end
  [[autokernel]] for (int i = 0; i < n; ++i)
    if (x[i])
      return 1;
  return 0;
}
