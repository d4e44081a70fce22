// RUN: not %autokernel scan %s -- -std=c++17 2>&1 | FileCheck %s

void filter(float *x, const float *b, int n) {
  // CHECK: refused [carried-dependence]: x[i] is written by one iteration and read as x[i - 1] by another (1 iteration apart)
  [[autokernel]] for (int i = 1; i < n; ++i) x[i] = 0.5f * x[i - 1] + b[i];
}

void scalar(float *y, const float *x, int n) {
  float last = 0;
  // CHECK: refused [carried-dependence]: 'last' carries a value from one iteration to the next
  [[autokernel]] for (int i = 0; i < n; ++i) {
    y[i] = x[i] - last;
    last = x[i];
  }
}

void oneElement(float *y, const float *x, int n) {
  // CHECK: refused [carried-dependence]: y[0] is written by several iterations
  [[autokernel]] for (int i = 0; i < n; ++i) y[0] = x[i];
}

// The outer loop can't be stepped through; the inner one is parallel, and the
// refusal says so.
void channels(float *x, const int *length, int channels) {
  // CHECK: refused [carried-dependence]
  // CHECK: the loop over 'c' is parallel; put the attribute there
  [[autokernel]] for (int i = 1; i < length[0]; ++i)
    for (int c = 0; c < channels; ++c)
      x[i * channels + c] += x[(i - 1) * channels + c];
}

void inOrder(const float *x, int n, float *out) {
  float sum = 0;
  // CHECK: refused [carried-dependence]: the sum in 'sum' may not be reordered
  [[autokernel, autokernel_reassociate(off)]] for (int i = 0; i < n; ++i)
    sum += x[i];
  *out = sum;
}
