// Accumulation into elements that several iterations share, and blocks of
// several loops.
// RUN: rm -rf %t && %autokernel generate --without-nvcc --kernel-dir %t %s -- -std=c++17 | FileCheck %s
// RUN: FileCheck --check-prefix=KERNEL %s < %t/histogram.cu
#include <cmath>

// CHECK: histogram fresh {{.*}} verified on the emulator
// KERNEL: atomicAdd(&h[p[i]], static_cast<int>(1));
void histogram(int n, const unsigned char *p, int *h) {
  [[autokernel]] for (int i = 0; i < n; ++i) ++h[p[i]];
}

// CHECK: columns fresh {{.*}} verified on the emulator
void columns(int rows, int cols, const float *a, float *sum) {
  [[autokernel]] for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c)
      sum[c] += a[r * cols + c];
}

// CHECK: wide fresh {{.*}} verified on the emulator
void wide(int n, const int *key, const long long *weight, long long *total) {
  [[autokernel]] for (int i = 0; i < n; ++i) {
    if (weight[i] > 0)
      total[key[i]] -= weight[i];
  }
}

// CHECK: normalise fresh template scalars+reduce+scalars+map+scalars, version {{[0-9]+}}: verified on the emulator
void normalise(int n, const float *x, float *y, float *norm) {
  [[autokernel]] {
    float s = 0;
    for (int i = 0; i < n; ++i)
      s += x[i] * x[i];
    float r = 1.0f / std::sqrt(s + 1e-6f);
    for (int i = 0; i < n; ++i)
      y[i] = x[i] * r;
    *norm = r;
  }
}

// CHECK: whole fresh {{.*}} verified on the emulator
[[autokernel]] void whole(int n, const float *x, float *y) {
  int half = n / 2;
  for (int i = 0; i < half; ++i)
    y[i] = x[i] + x[half + i];
  for (int i = half; i < n; ++i)
    y[i] = 0;
}
