// Algorithms of the standard library, written as the loops that they are.
// RUN: rm -rf %t && %autokernel generate --without-nvcc --kernel-dir %t %s -- -std=c++17 | FileCheck %s
// RUN: %python %S/Inputs/through_reference.py %autokernel %t %s %S/Inputs/algorithms-main.cpp %t/run -std=c++17
// RUN: FileCheck --check-prefix=REFERENCE %s < %t/unary.reference.cpp
#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

// CHECK: each fresh template map{{.*}} verified on the emulator
void each(std::vector<float> &v, float a) {
  [[autokernel]] std::for_each(v.begin(), v.end(), [&](float &e) { e = e * a + 1; });
}

// CHECK: eachOf fresh template map{{.*}} verified on the emulator
void eachOf(float *v, int n) {
  [[autokernel]] std::for_each_n(v, n, [](float &e) {
    if (e > 5)
      return;
    e = 5;
  });
}

// CHECK: unary fresh template map{{.*}} verified on the emulator
// REFERENCE: y[k] = (a * (x[k]));
void unary(const float *x, float *y, int n, float a) {
  [[autokernel]] std::transform(x, x + n, y, [=](float v) { return a * v; });
}

static float sum3(const float *x) { return x[0] + x[1] + x[2]; }

// CHECK: statements fresh template map{{.*}} verified on the emulator
void statements(const float *x, float *y, int n) {
  [[autokernel]] std::transform(x + 1, x + n, x, y + 1, [&](float v, float w) {
    float t = v + w;
    t *= sum3(x);
    return t;
  });
}

// CHECK: binary fresh template map{{.*}} verified on the emulator
void binary(const std::vector<double> &x, std::vector<double> &y) {
  [[autokernel]] std::transform(std::begin(x), std::end(x), y.begin(), y.begin(), std::plus<>());
}

// CHECK: sum fresh template {{.*}}reduce{{.*}} verified on the emulator
float sum(const float *x, int n) {
  float s;
  [[autokernel]] s = std::accumulate(x, x + n, 0.0f);
  return s;
}

// CHECK: dot fresh template {{.*}}reduce{{.*}} verified on the emulator
double dot(const std::vector<double> &x, const std::vector<double> &y) {
  double s = 0;
  [[autokernel]] {
    s = 2 * std::inner_product(x.begin(), x.end(), y.begin(), 1.0);
  }
  return s;
}

// CHECK: largest fresh template {{.*}}reduce{{.*}} verified on the emulator
float largest(const float *x, int n) {
  float s = 0;
  [[autokernel]] s = std::reduce(x, x + n, x[0], [](float a, float b) { return std::max(a, b); });
  return s;
}

// CHECK: norm fresh template {{.*}}reduce{{.*}} verified on the emulator
double norm(const std::vector<double> &x) {
  double s = 0;
  [[autokernel]] s = std::transform_reduce(x.begin(), x.end(), 0.0, std::plus<>(), [](double v) { return v * v; });
  return s;
}

// CHECK: rows fresh template rows{{.*}} verified on the emulator
void rows(const float *a, float *y, int n, int m) {
  [[autokernel]] for (int i = 0; i < n; ++i)
    y[i] = 1 / (1 + std::accumulate(a + i * m, a + i * m + m, 0.0f));
}

// CHECK: fills fresh template {{.*}}map{{.*}} verified on the emulator
void fills(std::vector<float> &y, const float *x, std::vector<int> &z) {
  [[autokernel]] {
    std::fill(y.begin() + 1, y.end(), y[0] * x[0]);
    std::iota(z.begin(), z.end(), 3);
  }
}

// CHECK: copies fresh template {{.*}}map{{.*}} verified on the emulator
void copies(float *y, const float *x, int n, float (&z)[20]) {
  [[autokernel]] {
    std::copy(x, x + n, y);
    std::copy_n(x, 20, &z[0]);
    std::fill_n(y + n, n, 2.0f);
  }
}

// CHECK: positive fresh template {{.*}} verified on the emulator
int positive(const float *x, int n) {
  int c = 0;
  [[autokernel]] c = std::count_if(x, x + n, [](float v) { return v > 7; }) + std::count(x, x + n, 4.0f);
  return c;
}

// CHECK: swaps fresh template map{{.*}} verified on the emulator
void swaps(float *a, float *b, int n) {
  [[autokernel]] for (int i = 0; i < n; ++i) std::swap(a[i], b[n - 1 - i]);
}

// CHECK: clamps fresh template map{{.*}} verified on the emulator
void clamps(const float *x, float *y, int n) {
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = std::clamp(x[std::clamp(i - 1, 0, n - 1)], 4.0f, 9.0f);
}
