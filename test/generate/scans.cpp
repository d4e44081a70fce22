// Running totals and compaction.
// RUN: rm -rf %t && %autokernel generate --without-nvcc --kernel-dir %t %s -- -std=c++17 | FileCheck %s

// CHECK: inclusive fresh template scan, version {{[0-9]+}}: verified on the emulator
void inclusive(const float *x, float *y, int n) {
  float s = 0;
  [[autokernel]] for (int i = 0; i < n; ++i) {
    s += x[i];
    y[i] = s;
  }
}

// CHECK: exclusive fresh template scan, version {{[0-9]+}}: verified on the emulator
void exclusive(const int *x, long *y, int n, long &s) {
  [[autokernel]] for (int i = 0; i < n; ++i) {
    y[i] = s;
    s += x[i];
  }
}

// CHECK: backwards fresh template scan, version {{[0-9]+}}: verified on the emulator
void backwards(const int *x, int *y, int n, int m) {
  [[autokernel]] for (int i = n - 1; i >= 0; --i) {
    if (x[i] > m)
      m = x[i];
    y[i] = m;
  }
}

// CHECK: compact fresh template scan, version {{[0-9]+}}: verified on the emulator
int compact(const float *x, float *y, int *at, int n) {
  int k = 0;
  [[autokernel(y[n], at[n])]] for (int i = 0; i < n; ++i) {
    float v = x[i] * 2;
    if (v > 0) {
      at[k] = i;
      y[k++] = v;
    }
  }
  return k;
}

// CHECK: flattened fresh template scan, version {{[0-9]+}}: verified on the emulator
int flattened(const int *x, int *y, int n, int m) {
  int k = 0;
  [[autokernel(y[n * m])]] for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      if (x[j * n + i] % 2)
        y[k++] = j;
  return k;
}

// CHECK: skipping fresh template scan, version {{[0-9]+}}: verified on the emulator
int skipping(const float *x, float *y, int n) {
  int k = 0;
  [[autokernel(y[n])]] for (int i = 0; i < n; ++i) {
    if (x[i] > 0)
      continue;
    y[k++] = x[i];
  }
  return k;
}

// CHECK: of_each_row fresh template map, version {{[0-9]+}}: verified on the emulator
void of_each_row(const float *x, float *y, int n, int m) {
  [[autokernel]] for (int i = 0; i < n; ++i) {
    float s = 0;
    for (int j = 0; j < m; ++j) {
      s += x[i * m + j];
      y[i * m + j] = s;
    }
  }
}
