// RUN: not %autokernel scan %s -- -std=c++17 2>&1 | FileCheck %s

void device(volatile float *y, int n) {
  // CHECK: refused [volatile-or-atomic]: 'y' is volatile or atomic
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = 0;
}

void staticLocal(int *y, int n) {
  // CHECK: refused [volatile-or-atomic]: 'calls' is static or volatile; a kernel can't share it
  [[autokernel]] for (int i = 0; i < n; ++i) {
    static int calls = 0;
    y[i] = ++calls;
  }
}

struct Register {
  int value;
};
void device(volatile Register *r, int *y, int n) {
  // CHECK: refused [volatile-or-atomic]: 'r_value' is volatile or atomic
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = r->value;
}
