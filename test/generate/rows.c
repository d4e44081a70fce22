// Rows: an outer loop with inner loops that a block shares; in C, where
// sqrt(float) is a double.
// RUN: rm -rf %t && %autokernel generate --without-nvcc --kernel-dir %t %s -- -std=c11 | FileCheck %s
// RUN: FileCheck --check-prefix=KERNEL %s < %t/softmax.cu
// RUN: ls %t | FileCheck --check-prefix=FILES %s
// FILES: softmax.reference.c{{$}}
#include <math.h>
#include <stddef.h>

// CHECK: softmax fresh template rows, version {{[0-9]+}}: verified on the emulator
// KERNEL: m = -INFINITY;
// KERNEL: block_reduce(m, Maximum())
// KERNEL: __syncthreads();
void softmax(int rows, int cols, const float *x, float *y) {
  [[autokernel]] for (int r = 0; r < rows; ++r) {
    const float *in = x + r * cols;
    float *out = y + r * cols;
    float m = -INFINITY;
    for (int c = 0; c < cols; ++c)
      if (in[c] > m)
        m = in[c];
    float s = 0.0f;
    for (int c = 0; c < cols; ++c) {
      out[c] = expf(in[c] - m);
      s += out[c];
    }
    for (int c = 0; c < cols; ++c)
      out[c] /= s;
  }
}

// CHECK: norms fresh {{.*}} verified on the emulator
void norms(size_t rows, size_t cols, const float *restrict x, float *restrict n) {
  [[autokernel]] for (size_t r = 0; r < rows; r++) {
    float s = 0;
    for (size_t c = 0; c < cols; c++)
      s += x[r * cols + c] * x[r * cols + c];
    n[r] = sqrt(s);
  }
}

// CHECK: spmv fresh {{.*}} verified on the emulator
void spmv(int n, int m, const int *row, const int *column, const float *value,
          const float *x, float *y) {
  [[autokernel("spmv", x[m])]] for (int i = 0; i < n; ++i) {
    float s = 0;
    for (int k = row[i]; k < row[i + 1]; ++k)
      s += value[k] * x[column[k]];
    y[i] = s;
  }
}

// CHECK: old_style fresh {{.*}} verified on the emulator
void old_style(int n, int m, const double *a, double *b) {
  int i, j;
  double t;
  [[autokernel]] for (i = 0; i < n; i++) {
    t = 0;
    for (j = 0; j < m; j++)
      t = t + a[i * m + j];
    for (j = 0; j < m; j++)
      b[i * m + j] = a[i * m + j] / (t + 1);
  }
}
