// RUN: not %autokernel scan %s -- -std=c++17 2>&1 | FileCheck %s

static float count(float x) {
  static int calls;
  return x * ++calls;
}
static int depth(int x) { return x > 0 ? depth(x - 1) + 1 : 0; }
static float first(const float *x) { return x[0]; }

void withState(float *y, const float *x, int n) {
  // CHECK: refused [call-unsupported]: 'count' can't be taken into a kernel: it keeps the state of 'calls'
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = count(x[i]);
}

void recursive(float *y, int n) {
  // CHECK: refused [call-unsupported]: 'depth' can't be taken into a kernel: it calls itself
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = depth(i);
}

void withPointer(float *y, const float *x, int n) {
  // CHECK: refused [call-unsupported]: 'first' can't be taken into a kernel: its parameter 'x' is no number
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = first(x + i);
}
