// Loops that fold into scalars, alone or beside other outputs.
// RUN: rm -rf %t && %autokernel generate --without-nvcc --kernel-dir %t %s -- -std=c++17 | FileCheck %s
// RUN: FileCheck --check-prefix=KERNEL %s < %t/total.cu
#include <algorithm>
#include <cfloat>

// CHECK: total fresh template reduce, version {{[0-9]+}}: verified on the emulator
// KERNEL: s = block_reduce(s, Sum());
double sum(long n, const float *x) {
  double s = 0;
  [[autokernel("total")]] for (long i = 0; i < n; ++i) s += x[i];
  return s;
}

// CHECK: extremes fresh {{.*}} verified on the emulator
void extremes(int n, const float *x, float *out) {
  float lo = FLT_MAX, hi = -FLT_MAX;
  [[autokernel]] for (int i = 0; i < n; ++i) {
    if (x[i] < lo)
      lo = x[i];
    hi = x[i] > hi ? x[i] : hi;
  }
  out[0] = lo;
  out[1] = hi;
}

// CHECK: counts fresh {{.*}} verified on the emulator
int counts(unsigned n, const int *x, int limit, int *smallest) {
  int c = 0, m = 1 << 30;
  [[autokernel]] for (unsigned i = 3; i <= n; i += 2) {
    if (x[i] > limit)
      c++;
    m = std::min(m, x[i]);
  }
  *smallest = m;
  return c;
}

// CHECK: bits fresh {{.*}} verified on the emulator
void bits(int n, const unsigned *x, unsigned *out) {
  unsigned all = ~0u, any = 0, odd = 0;
  [[autokernel]] for (int i = 0; i < n; ++i) {
    all &= x[i];
    any |= x[i];
    odd ^= x[i];
  }
  out[0] = all;
  out[1] = any;
  out[2] = odd;
}

// CHECK: nested fresh {{.*}} verified on the emulator
float nested(int rows, int cols, const float *a, const float *b) {
  float s = 1;
  [[autokernel]] for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c)
      s -= a[r * cols + c] * b[r * cols + c];
  return s;
}

// CHECK: beside fresh {{.*}} verified on the emulator
float beside(int n, const float *x, float *y) {
  float s = 0;
  [[autokernel]] for (int i = 0; i < n; ++i) {
    y[i] = x[i] * x[i];
    s += y[i];
  }
  return s;
}

// Sums of integers that fit in the loop's order, and in no other one.
// RUN: FileCheck --check-prefix=WRAPS %s < %t/wraps.cu
// WRAPS: __device__ int operator()(int a, int b) const {
// WRAPS: unsigned total = 0;
// CHECK: wraps fresh {{.*}} verified on the emulator
int wraps(int n, const int *x) {
  int total = 0;
  [[autokernel("wraps")]] for (int i = 0; i < n; ++i) total += x[i];
  return total;
}

// CHECK: wrapping_rows fresh {{.*}} verified on the emulator
void wrapping_rows(int rows, int columns, long *sums, const long *x) {
  [[autokernel("wrapping_rows")]] for (int r = 0; r < rows; ++r) {
    long total = 0;
    for (int c = 0; c < columns; ++c)
      total += x[r * columns + c];
    sums[r] = total;
  }
}

// What counts as true or false need not be a bool.
// CHECK: logical fresh {{.*}} verified on the emulator
int logical(int n, const int *x, const float *y) {
  bool all = true, any = false;
  [[autokernel]] for (int i = 0; i < n; ++i) {
    all = all && x[i];
    any = y[i] || any;
  }
  return all + 2 * any;
}
