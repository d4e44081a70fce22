// What the model allows, verified: functions, references, unsigned subscripts,
// bytes as indices, local arrays, shared counters.
// RUN: rm -rf %t && mkdir %t
// RUN: %autokernel generate --kernel-dir=%t %s -- -std=c++17 2>&1 | FileCheck %s
#include <cmath>

namespace q {
constexpr float Half = 0.5f;
inline float shrink(float v) { return v * Half; }
} // namespace q
static double norm(float a, float b) {
  float s = a * a;
  for (int r = 0; r < 2; ++r)
    s += b * q::Half;
  return std::sqrt(double(std::fabs(s)));
}

// CHECK: function  fresh{{.*}}verified
void function(float *y, const float *x, int n) {
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = norm(x[i], q::shrink(x[i]));
}

// CHECK: reference  fresh{{.*}}verified
void reference(const float &a, float *y, int n) {
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = a * y[i];
}

// CHECK: largest  fresh{{.*}}verified
void largest(int &s, const int *x, int n) {
  [[autokernel]] for (int i = 0; i < n; ++i) if (x[i] > s) s = x[i];
}

// CHECK: stencil  fresh{{.*}}verified
void stencil(float *y, const float *x, unsigned w, unsigned h) {
  [[autokernel]] for (unsigned j = 1; j < h - 1; ++j)
    for (unsigned i = 1; i < w - 1; ++i)
      y[j * w + i] = x[(j - 1) * w + i] + x[j * w + i - 1u];
}

// CHECK: bytes  fresh{{.*}}verified
void bytes(int *h, const char *b, int n) {
  [[autokernel]] for (int i = 0; i < n; ++i) h[(unsigned char)b[i]]++;
}

// CHECK: tile  fresh{{.*}}verified
void tile(float *y, const float *x, const float *w, int n, int m) {
  const int N = 4;
  [[autokernel]] for (int i = 0; i < n; i += N)
    for (int j = 0; j < m; ++j) {
      float r[N];
      for (int k = 0; k < N; ++k) r[k] = w[j];
      for (int k = 0; k < N; ++k) {
        int row = i + k;
        y[row * m + j] = r[k] * x[row];
      }
    }
}

// CHECK: shared  fresh{{.*}}verified
int shared(float *y, float *z, int n, int m) {
  int i;
  [[autokernel]] {
    for (i = 0; i < n; ++i) y[i] = 0;
    for (i = 0; i < m; ++i) z[i] = 1;
  }
  return i;
}
