// Loops whose iterations are independent, in the ways people write them.
// RUN: rm -rf %t && %autokernel generate --without-nvcc --kernel-dir %t %s -- -std=c++17 | FileCheck %s
// RUN: FileCheck --check-prefix=KERNEL %s < %t/saxpy.cu
#include <algorithm>
#include <cmath>

// CHECK: saxpy fresh template map, version {{[0-9]+}}: verified on the emulator
// KERNEL: // saxpy: maps.cpp, function saxpy
// KERNEL: // Mapping one thread an iteration of (i), grid-stride
// KERNEL: // Verified emulator:
// KERNEL: __global__ void saxpy_kernel(
// KERNEL: y[i] = a * x[i] + y[i];
// KERNEL: extern "C" cudaError_t autokernel_saxpy(int n, float a, const float *x, float *y,
void saxpy(int n, float a, const float *x, float *y) {
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}

// CHECK: downward fresh {{.*}} verified on the emulator
void downward(long n, long s, const double *x, double *y) {
  long i;
  double t;
  [[autokernel]] for (i = n - 1; i >= 0; i -= s) {
    t = x[i] * 2;
    y[i] = t;
  }
}

// CHECK: unsignedStep fresh {{.*}} verified on the emulator
void unsignedStep(unsigned n, const short *x, long long *y) {
  [[autokernel]] for (unsigned i = 1; i <= n; i += 3) y[i] = x[i - 1] * 7ll;
}

// CHECK: notEqual fresh {{.*}} verified on the emulator
void notEqual(int n, const float *x, float *y) {
  [[autokernel]] for (int i = 0; i != n; ++i) {
    float parts[4] = {0, 1, 2, 3};
    for (int j = 0; j < 4; ++j)
      parts[j] += x[i] * 3.5f;
    int halvings = 0;
    float v = x[i];
    while (v > 1.0f && halvings < 10) {
      v *= 0.5f;
      ++halvings;
    }
    switch (halvings) {
    case 0:
      v += 1;
      break;
    default:
      v -= 1;
    }
    y[i] = parts[0] + parts[1] * parts[2] - parts[3] + v;
  }
}

// CHECK: stencil fresh {{.*}} verified on the emulator
void stencil(int ny, int nx, const float *a, float *b) {
  [[autokernel]] for (int j = 1; j < ny - 1; ++j)
    for (int i = 1; i < nx - 1; ++i)
      b[j * nx + i] = 0.25f * (a[j * nx + i - 1] + a[j * nx + i + 1] +
                               a[(j - 1) * nx + i] + a[(j + 1) * nx + i]);
}

// CHECK: edges fresh {{.*}} verified on the emulator
void edges(int n, const float *x, float *y) {
  [[autokernel]] for (int i = 0; i < n; ++i) {
    float left = i > 0 ? x[i - 1] : 0.0f;
    float right = i < n - 1 ? x[i + 1] : 0.0f;
    if (left == right)
      continue;
    y[i] = left - right;
  }
}

// CHECK: matrix fresh {{.*}} verified on the emulator
void matrix(const float (*A)[40], const float (*B)[40], float (*C)[40], int n) {
  [[autokernel]] for (int i = 0; i < n; ++i)
    for (int j = 0; j < 40; ++j) {
      C[i][j] = 0;
      for (int k = 0; k < 40; ++k)
        C[i][j] += A[i][k] * B[k][j];
    }
}

// CHECK: triangle fresh {{.*}} verified on the emulator
void triangle(int n, const double *a, double *b) {
  [[autokernel]] for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      b[i * n + j] = a[j * n + i] + 1;
}

// CHECK: functions fresh {{.*}} verified on the emulator
void functions(int n, const float *x, float *y, double *z) {
  [[autokernel]] for (int i = 0; i < n; ++i) {
    y[i] = std::exp(x[i]) + std::sqrt(std::fabs(x[i])) * std::tanh(x[i]) +
           std::max(x[i], 0.5f) - std::min(x[i], 2.0f) + std::floor(x[i]);
    z[i] = std::sin(double(x[i])) + std::pow(x[i], 2) + std::log1p(std::abs(x[i]));
  }
}

// CHECK: optional fresh {{.*}} verified on the emulator
void optional(int n, const float *x, const float *bias, float *y, float *copy) {
  [[autokernel]] for (int i = 0; i < n; ++i) {
    y[i] = bias != nullptr ? x[i] + bias[i] : x[i];
    if (copy)
      copy[i] = x[i];
  }
}

// CHECK: gather fresh {{.*}} verified on the emulator
void gather(int n, int m, const int *index, const float *table, float *y) {
  [[autokernel(table[m])]] for (int i = 0; i < n; ++i) y[i] = table[index[i]];
}
