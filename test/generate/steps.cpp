// Sequential loops around parallel ones: the launcher steps through them, or
// one block where a step is small. Each kernel is verified.
// RUN: rm -rf %t
// RUN: %autokernel generate --without-nvcc --kernel-dir %t %s -- -std=c++17 | FileCheck %s
// RUN: FileCheck --check-prefix=SWEEPS %s < %t/sweeps.cu
// RUN: FileCheck --check-prefix=SOLVE %s < %t/solve.cu

// CHECK-DAG: sweeps fresh template map+map, version {{[0-9]+}}: verified on the emulator
// SWEEPS: for (int t = 0; t < steps; ++t) {
// SWEEPS: sweeps_1_kernel<<<
// SWEEPS: sweeps_2_kernel<<<
void sweeps(int steps, int n, double *a, double *b) {
  [[autokernel]] for (int t = 0; t < steps; ++t) {
    for (int i = 1; i < n - 1; ++i)
      b[i] = 0.5 * (a[i - 1] + a[i + 1]);
    for (int i = 1; i < n - 1; ++i)
      a[i] = b[i] + t;
  }
}

// Row after row; the terms of a row meet in a block reduction.
// CHECK-DAG: solve fresh template rows, version {{[0-9]+}}: verified on the emulator
// SOLVE: Small steps, one after the other, by one block.
// SOLVE: block_reduce(
void solve(int n, const double *l, const double *b, double *x) {
  [[autokernel]] for (int i = 0; i < n; ++i) {
    x[i] = b[i];
    for (int j = 0; j < i; ++j)
      x[i] -= l[i * n + j] * x[j];
    x[i] = x[i] / (2 + l[i * n + i] * l[i * n + i]);
  }
}

// Scalars go from step to step.
// CHECK-DAG: decay fresh template scalars+rows, version {{[0-9]+}}: verified on the emulator
void decay(int n, float *x) {
  [[autokernel]] {
    float factor = 1;
    for (int k = 0; k < n; ++k) {
      factor = factor * 0.5f + 0.25f;
      for (int i = 0; i < k; ++i)
        x[i] = x[i] * factor + k;
    }
  }
}

// Counters of the whole function, as C programmers write them.
// CHECK-DAG: counters fresh template {{[a-z+]*}}, version {{[0-9]+}}: verified on the emulator
double total(const double *x, int n);
void counters(int n, double a[40][40], double x[40]) {
  int i, j, k;
  [[autokernel]] for (k = 0; k < n; k++) {
    for (i = k + 1; i < n; i++)
      a[i][k] = a[i][k] / (1 + a[k][k] * a[k][k]);
    for (i = k + 1; i < n; i++)
      for (j = k + 1; j < n; j++)
        a[i][j] -= a[i][k] * a[k][j];
  }
}

// A choice between scalars is the launcher's.
// CHECK-DAG: choice fresh template map+map, version {{[0-9]+}}: verified on the emulator
void choice(int mode, int n, float *x) {
  [[autokernel]] {
    if (mode > 0) {
      for (int i = 0; i < n; ++i)
        x[i] = x[i] + 1;
    } else {
      for (int i = 0; i < n; ++i)
        x[i] = x[i] * 2;
    }
  }
}

static float sum_of_four(const float *part) {
  float s = 0;
  for (int i = 0; i < 4; ++i)
    s += part[i];
  return s;
}

// The function's variables are there twice, one behind the other.
// CHECK: twice fresh template {{[a-z+]*}}, version {{[0-9]+}}: verified on the emulator
float twice(const float *a) {
  float sum;
  [[autokernel]] {
    sum = 0;
    sum += sum_of_four(a);
    sum += sum_of_four(&a[4]);
    sum += sum_of_four(&a[8]);
  }
  return sum;
}
