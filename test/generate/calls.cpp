// Functions with several statements, pointers and references, written out.
// RUN: rm -rf %t && %autokernel generate --without-nvcc --kernel-dir %t %s -- -std=c++17 | FileCheck %s
// RUN: %python %S/Inputs/through_reference.py %autokernel %t %s %S/Inputs/calls-main.cpp %t/run -std=c++17
// RUN: FileCheck --check-prefix=REFERENCE %s < %t/early.reference.cpp
// RUN: FileCheck --check-prefix=RENAMED %s < %t/renamed.reference.cpp
#include <algorithm>
#include <vector>

static void axpy1(float *a, const float *b, float s, int i) {
  a[i] = a[i] + s * b[i];
}

// CHECK: axpy fresh template map{{.*}} verified on the emulator
void axpy(float *a, const float *b, float s, int n) {
  [[autokernel]] for (int i = 0; i < n; ++i) axpy1(a, b, s, i);
}

static float dot(const float *x, const float *y, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * y[i];
  return s;
}

// CHECK: product fresh template rows{{.*}} verified on the emulator
void product(const float *A, const float *x, float *y, int n, int m) {
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = 2 * dot(A + i * m, x, m);
}

// Early returns become branches.
static float shrunk(const float *x, int i) {
  float v = x[i];
  if (v > 9)
    return v - 9;
  if (v < 3) {
    v = -v;
    return v + 3;
  }
  return 0;
}

// CHECK: early fresh template map{{.*}} verified on the emulator
// REFERENCE: if (v > 9) {
// REFERENCE: shrunk_result = v - 9;
// REFERENCE: } else {
// REFERENCE: if (v < 3) {
void early(const float *x, float *y, int n) {
  [[autokernel]] for (int i = 0; i < n; ++i)
    if (shrunk(x, i) < 2)
      y[i] = shrunk(x, i);
    else if (shrunk(x, i + 1) > 1)
      y[i] = 1;
    else
      y[i] = 2;
}

// Names of the function get others where the region uses them.
static float passing(const float *y, float x, int j) {
  float n = y[j] + x;
  for (int i = 0; i < 3; ++i)
    n += i * x;
  return n;
}

// CHECK: renamed fresh template rows{{.*}} verified on the emulator
// RENAMED: float n_2 = x[i] + x_2;
void renamed(const float *x, float *y, int n) {
  [[autokernel]] for (int i = 0; i < n; ++i) {
    float v = passing(x, y[i], i);
    y[i] = v;
  }
}

static void square(float &to, const float &from) { to = from * from; }
static void exchange(float &a, float &b) {
  float t = a;
  a = b;
  b = t;
}

// CHECK: references fresh template map{{.*}} verified on the emulator
void references(float *x, float *y, int n) {
  [[autokernel]] for (int i = 0; i < n; ++i) {
    square(y[i], x[i] + 1);
    float sum = 0;
    square(sum, y[i]);
    exchange(x[i], y[i]);
    y[i] += sum;
  }
}

template <class T, int N> static T power(T x) {
  T y = 1;
  for (int k = 0; k < N; ++k)
    y *= x;
  return y;
}

// CHECK: templates fresh template rows{{.*}} verified on the emulator
void templates(const float *x, double *y, int n) {
  [[autokernel]] for (int i = 0; i < n; ++i)
    y[i] = power<float, 2>(x[i]) + power<double, 3>(y[i]);
}

namespace physics {
using real = float;
static const real g = 2.5f;
static real fall(real t) { return g * t * t; }
static real height(const real *t, int i, real from = 3) {
  real h = from - fall(t[i]);
  using std::max;
  return max(h, -g);
}
} // namespace physics

// CHECK: scoped fresh template map{{.*}} verified on the emulator
void scoped(const float *t, float *y, int n) {
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = physics::height(t, i);
}

class Grid {
public:
  Grid(int nx, int ny) : nx(nx), ny(ny), now(nx * ny), next(nx * ny) {}
  std::vector<float> now, next;

  float laplace(int j, int i) const {
    float c = at(j, i);
    return now[j * nx + i - 1] + now[j * nx + i + 1] - 2 * c;
  }
  void put(int j, int i, float v) { next[j * nx + i] = v; }
  const float *row(int j) const { return now.data() + j * nx; }

  // CHECK: step fresh template map{{.*}} verified on the emulator
  void step() {
    [[autokernel(step)]] for (int j = 0; j < ny; ++j)
      for (int i = 1; i < nx - 1; ++i)
        put(j, i, laplace(j, i));
  }

  // CHECK: sums fresh template rows{{.*}} verified on the emulator
  void sums(const float *w) {
    [[autokernel(sums)]] for (int j = 0; j < ny; ++j) next[j] = dot(row(j), w, nx);
  }

  int nx, ny;

private:
  float at(int j, int i) const { return now[j * nx + i]; }
};

// CHECK: outside fresh template map{{.*}} verified on the emulator
void outside(Grid &g, const Grid &h) {
  [[autokernel]] for (int j = 0; j < g.ny; ++j)
    for (int i = 1; i < g.nx - 1; ++i)
      if (h.laplace(j, i) > 0)
        g.put(j, i, 1);
}

// CHECK: lambdas fresh template map{{.*}} verified on the emulator
void lambdas(const float *x, float *y, int n, float a) {
  auto scaled = [&](int i) {
    float t = a * x[i];
    if (t < 9)
      return 9.0f;
    return t;
  };
  auto add = [=](float *p, int i) { p[i] += a; };
  [[autokernel]] for (int i = 0; i < n; ++i) {
    y[i] = scaled(i);
    add(y, i);
  }
}

template <class F> static void applyTo(float *y, int i, F f) {
  for (int k = 0; k < 2; ++k)
    y[2 * i + k] = f(k);
}

// CHECK: passed fresh template rows{{.*}} verified on the emulator
void passed(const float *x, float *y, int n) {
  [[autokernel]] for (int i = 0; i < n; ++i)
    applyTo(y, i, [&](int k) { return x[i] + k; });
}
