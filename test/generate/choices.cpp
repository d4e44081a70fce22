// Scalars that one iteration decides, stores whose order counts, and jumps.
// RUN: rm -rf %t && %autokernel generate --without-nvcc --kernel-dir %t %s -- -std=c++17 | FileCheck %s
#include <cmath>

// CHECK: largest fresh template reduce, version {{[0-9]+}}: verified on the emulator
void largest(const float *a, int n, float *value, int *where) {
  float best = a[0];
  int at = 0;
  [[autokernel]] for (int i = 1; i < n; ++i)
    if (a[i] > best) {
      best = a[i];
      at = i;
    }
  *value = best;
  *where = at;
}

// CHECK: smallest_last fresh template reduce, version {{[0-9]+}}: verified on the emulator
void smallest_last(const short *a, int n, short &best, long &where) {
  [[autokernel]] for (int i = n - 1; i >= 0; --i) {
    if (best >= a[i]) {
      where = i * 2L;
      best = a[i];
    }
  }
}

// CHECK: last_negative fresh template scalars+reduce, version {{[0-9]+}}: verified on the emulator
void last_negative(const float *a, int n, int &j) {
  [[autokernel]] {
    j = -1;
    for (int i = 0; i < n; i++)
      if (a[i] < 0.f)
        j = i;
  }
}

// CHECK: in_a_matrix fresh template scalars+reduce, version {{[0-9]+}}: verified on the emulator
void in_a_matrix(const double *a, int rows, int cols, double &max, int &x, int &y) {
  [[autokernel]] {
    max = a[0];
    x = 0;
    y = 0;
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < cols; j++)
        if (std::fabs(a[i * cols + j]) > max) {
          max = std::fabs(a[i * cols + j]);
          x = i;
          y = j;
        }
  }
}

// CHECK: of_each_row fresh template map, version {{[0-9]+}}: verified on the emulator
void of_each_row(const float *a, int rows, int cols, int *index) {
  [[autokernel]] for (int i = 0; i < rows; i++) {
    float best = a[i * cols];
    int k = 0;
    for (int j = 0; j < cols; j++)
      if (a[i * cols + j] > best) {
        best = a[i * cols + j];
        k = j;
      }
    index[i] = k;
  }
}

// CHECK: both_ends fresh template reduce, version {{[0-9]+}}: verified on the emulator
void both_ends(const int *a, int n, int &lo, int &at_lo, int &hi, int &at_hi, int &sum) {
  [[autokernel]] for (int i = 0; i < n; i++) {
    int v = a[i];
    if (v < lo) {
      lo = v;
      at_lo = i;
    }
    if (a[i] % 3 == 0 && v > hi) {
      hi = v;
      at_hi = i;
    }
    sum += v;
  }
}

// CHECK: last_value fresh template reduce, version {{[0-9]+}}: verified on the emulator
void last_value(const float *a, float *o, int n, float &t) {
  [[autokernel]] for (int i = 0; i < n; i++) {
    t = a[i] * 2;
    o[i] = t + 1;
  }
}

// CHECK: scatter fresh template map, version {{[0-9]+}}: verified on the emulator
void scatter(float *a, const int *ip, const float *b, const float *c, int n, int m) {
  [[autokernel(a[m])]] for (int i = 0; i < n; i++)
    if (b[i] > 0)
      a[ip[i]] = b[i] + c[i];
}

// CHECK: jumps fresh template map, version {{[0-9]+}}: verified on the emulator
void jumps(const float *a, const int *kind, float *b, float *c, int n) {
  [[autokernel]] for (int i = 0; i < n; i++) {
    switch (kind[i]) {
    case 1:
      goto second;
    case 2:
      goto done;
    }
    if (a[i] < 0)
      goto second;
    b[i] = c[i] + 1;
    goto done;
  second:
    c[i] = a[i] * 2;
  done:
    b[i] += c[i];
  }
}
