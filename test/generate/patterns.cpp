// Patterns that hot loops are made of: each is taken, and its kernel verified.
// RUN: rm -rf %t && %autokernel generate --without-nvcc --kernel-dir %t %s -- -std=c++17 | FileCheck %s
#include <algorithm>
#include <cmath>
#include <cstdint>

// CHECK: redblack fresh template {{[a-z+]*}}, version {{[0-9]+}}: verified on the emulator
void redblack(int n, float *x) {
  [[autokernel]] for (int c = 0; c < 2; ++c)
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1 + (i + c) % 2; j < n - 1; j += 2)
        x[i * n + j] = 0.25f * (x[(i - 1) * n + j] + x[(i + 1) * n + j] +
                                x[i * n + j - 1] + x[i * n + j + 1]);
}

// CHECK: product fresh template {{[a-z+]*}}, version {{[0-9]+}}: verified on the emulator
void product(int n, const double *x, double *out) {
  double p = 1;
  [[autokernel]] for (int i = 0; i < n; ++i)
    p *= x[i];
  *out = p;
}

// CHECK: any fresh template {{[a-z+]*}}, version {{[0-9]+}}: verified on the emulator
bool any(int n, const int *x) {
  bool r = false;
  [[autokernel]] for (int i = 0; i < n; ++i)
    r = r || x[i] > 90;
  return r;
}

// CHECK: anyif fresh template {{[a-z+]*}}, version {{[0-9]+}}: verified on the emulator
bool anyif(int n, const int *x) {
  bool r = false;
  [[autokernel]] for (int i = 0; i < n; ++i)
    if (x[i] > 90)
      r = true;
  return r;
}

// CHECK: all fresh template {{[a-z+]*}}, version {{[0-9]+}}: verified on the emulator
bool all(int n, const int *x) {
  bool r = true;
  [[autokernel]] for (int i = 0; i < n; ++i)
    r &= x[i] > -90;
  return r;
}

// CHECK: batched fresh template {{[a-z+]*}}, version {{[0-9]+}}: verified on the emulator
void batched(int b, int m, const float *A, const float *B, float *C) {
  [[autokernel]] for (int q = 0; q < b; ++q)
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j) {
        float t = 0;
        for (int p = 0; p < m; ++p)
          t += A[(q * m + i) * m + p] * B[(q * m + p) * m + j];
        C[(q * m + i) * m + j] = t;
      }
}

// CHECK: csr2 fresh template {{[a-z+]*}}, version {{[0-9]+}}: verified on the emulator
void csr2(int rows, const int *start, const int *col, const float *val,
          const float *x, float *y) {
  [[autokernel]] for (int r = 0; r < rows; ++r) {
    float t = 0;
    for (int k = start[r]; k < start[r + 1]; ++k)
      t += val[k] * x[col[k]];
    y[r] = t;
  }
}

// CHECK: lookup fresh template {{[a-z+]*}}, version {{[0-9]+}}: verified on the emulator
void lookup(int n, int m, const float *table, const float *x, int *out) {
  [[autokernel(lookup, table[m])]] for (int i = 0; i < n; ++i) {
    int lo = 0, hi = m;
    while (lo < hi) {
      int mid = (lo + hi) / 2;
      if (table[mid] < x[i])
        lo = mid + 1;
      else
        hi = mid;
    }
    out[i] = lo;
  }
}

// CHECK: unpack fresh template {{[a-z+]*}}, version {{[0-9]+}}: verified on the emulator
void unpack(int n, const uint32_t *words, float *out) {
  [[autokernel]] for (int i = 0; i < n; ++i) {
    uint32_t w = words[i / 8];
    int v = (w >> (4 * (i % 8))) & 15;
    out[i] = 0.5f * v;
  }
}

// CHECK: life fresh template {{[a-z+]*}}, version {{[0-9]+}}: verified on the emulator
void life(int h, int w, const unsigned char *a, unsigned char *b) {
  [[autokernel]] for (int y = 1; y < h - 1; ++y)
    for (int x = 1; x < w - 1; ++x) {
      int c = 0;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          if (dx || dy)
            c += a[(y + dy) * w + x + dx];
      b[y * w + x] = c == 3 || (c == 2 && a[y * w + x]);
    }
}

// CHECK: sw fresh template {{[a-z+]*}}, version {{[0-9]+}}: verified on the emulator
void sw(int n, const int *k, float *x) {
  [[autokernel]] for (int i = 0; i < n; ++i) {
    switch (k[i]) {
    case 0:
      x[i] += 1;
      break;
    case 1:
      x[i] *= 2;
      break;
    default:
      x[i] = 0;
    }
  }
}

// CHECK: earlyinner fresh template {{[a-z+]*}}, version {{[0-9]+}}: verified on the emulator
void earlyinner(int n, int m, const int *a, int *out) {
  [[autokernel]] for (int i = 0; i < n; ++i) {
    int f = -1;
    for (int j = 0; j < m; ++j)
      if (a[i * m + j] > 50) {
        f = j;
        break;
      }
    out[i] = f;
  }
}

// CHECK: minmax fresh template {{[a-z+]*}}, version {{[0-9]+}}: verified on the emulator
float minmax(int n, const float *x, float *lo, float *hi) {
  float a = x[0], b = x[0];
  [[autokernel]] for (int i = 1; i < n; ++i) {
    if (x[i] < a)
      a = x[i];
    b = std::max(b, x[i]);
  }
  *lo = a;
  *hi = b;
  return a;
}

// CHECK: collatz fresh template {{[a-z+]*}}, version {{[0-9]+}}: verified on the emulator
void collatz(int n, const unsigned *x, int *out) {
  [[autokernel]] for (int i = 0; i < n; ++i) {
    unsigned v = x[i];
    int c = 0;
    while (v > 1 && c < 200) {
      v = v % 2 ? 3 * v + 1 : v / 2;
      ++c;
    }
    out[i] = c;
  }
}

// CHECK: reverse fresh template {{[a-z+]*}}, version {{[0-9]+}}: verified on the emulator
void reverse(int n, float *x) {
  [[autokernel]] for (int i = 0; i < n / 2; ++i) {
    float t = x[i];
    x[i] = x[n - 1 - i];
    x[n - 1 - i] = t;
  }
}

// CHECK: everySecond fresh template {{[a-z+]*}}, version {{[0-9]+}}: verified on the emulator
void everySecond(int n, float *x, const float *y) {
  int k = 0;
  [[autokernel]] for (int i = 0; i < n; ++i) {
    x[k] = y[i];
    k += 2;
  }
}

// CHECK: flattened fresh template {{[a-z+]*}}, version {{[0-9]+}}: verified on the emulator
void flattened(int n, int m, float *x, const float *y) {
  int k = -1;
  [[autokernel]] for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      k++;
      x[k] = y[i * m + j];
    }
}

// CHECK: bothBranches fresh template {{[a-z+]*}}, version {{[0-9]+}}: verified on the emulator
void bothBranches(int n, float *x, const float *y) {
  [[autokernel]] {
    int j = -1;
    for (int i = 0; i < n; ++i) {
      if (y[i] > 0) {
        j++;
        x[j] = y[i];
      } else {
        j++;
        x[j] = 1;
      }
    }
  }
}

// CHECK: backwards fresh template {{[a-z+]*}}, version {{[0-9]+}}: verified on the emulator
void backwards(int n, int s, float *x, const float *y) {
  int k;
  [[autokernel]] {
    k = 0;
    for (int i = n - 1; i >= 0; --i) {
      x[i] = y[k] + k;
      k += s;
    }
  }
}

// CHECK: terms fresh template reduce, version {{[0-9]+}}: verified on the emulator
float terms(int n, const float *a, const float *b) {
  float s = 0;
  [[autokernel]] for (int i = 0; i < n; i += 3)
    s = s + a[i] * b[i] - a[i + 1] * b[i + 1] + a[i + 2];
  return s;
}

// The inner loop's iterations follow each other; what it leaves is used.
// CHECK: triangle fresh template {{[a-z+]*}}, version {{[0-9]+}}: verified on the emulator
void triangle(int n, int m, const float *x, float *y) {
  int k;
  [[autokernel(x[n * (m + 1)])]] {
    k = 0;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < m; ++j) {
        y[i * m + j] = x[k];
        ++k;
      }
      ++k;
    }
  }
}
