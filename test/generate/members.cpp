// Members of objects: arrays, numbers, containers, and one-line functions.
// RUN: rm -rf %t && %autokernel generate --without-nvcc --kernel-dir %t %s -- -std=c++20 | FileCheck %s
// RUN: %python %S/Inputs/through_reference.py %autokernel %t %s %S/Inputs/members-main.cpp %t/run -std=c++20
// RUN: FileCheck --check-prefix=REFERENCE %s < %t/relax.reference.cpp
#include <memory>
#include <vector>

struct Grid {
  int nx = 0, ny = 0;
  float *now = nullptr;
  std::vector<float> next;
  float weights[3] = {1, 2, 1};
  double total = 0;

  float &at(int j, int i) { return now[j * nx + i]; }
  float at(int j, int i) const { return now[j * nx + i]; }
  int size() const { return nx * ny; }
  float half(float v) const { return v / 2; }

  // CHECK: scale fresh template map{{.*}} verified on the emulator
  void scale(float by) {
    [[autokernel(scale)]] for (int i = 0; i < nx; ++i) now[i] *= by;
  }

  // CHECK: explicitThis fresh template map{{.*}} verified on the emulator
  void withThis() {
    [[autokernel(explicitThis)]] for (int i = 0; i < this->nx; ++i)
      this->next[i] = this->weights[1] * this->now[i];
  }

  // The functions are written out.
  // CHECK: relax fresh template map{{.*}} verified on the emulator
  // REFERENCE: next[j * nx + i] = (now[j * nx + (i - 1)]) + (now[j * nx + (i + 1)]);
  void relax() {
    [[autokernel(relax)]] for (int j = 0; j < ny; ++j)
      for (int i = 1; i < nx - 1; ++i)
        next[j * nx + i] = at(j, i - 1) + at(j, i + 1);
  }

  // CHECK: constant fresh template map{{.*}} verified on the emulator
  void constant(double *out) const {
    [[autokernel(constant)]] for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i)
        out[j * nx + i] = half(at(j, i));
  }

  // CHECK: sum fresh template {{.*}} verified on the emulator
  void sum(const double *x) {
    [[autokernel(sum)]] for (int i = 0; i < size(); ++i) total += x[i];
  }

  // CHECK: captured fresh template map{{.*}} verified on the emulator
  void captured() {
    auto shifted = [this](int i) { return now[i] + nx; };
    [[autokernel(captured)]] for (int i = 0; i < ny; ++i) next[i] = shifted(i);
  }
};

struct Pair {
  Grid a, *b;
  std::unique_ptr<double[]> data;
};

// CHECK: nested fresh template map{{.*}} verified on the emulator
void nested(Pair &p, Pair *q) {
  [[autokernel]] for (int i = 0; i < p.a.nx; ++i) {
    p.a.next[i] = q->b->now[i] * 2;
    q->data[i] = p.b->weights[2];
  }
}

// CHECK: functions fresh template map{{.*}} verified on the emulator
void functions(Grid &g, Grid &h) {
  [[autokernel]] for (int j = 0; j < g.ny; ++j)
    for (int i = 0; i < g.nx; ++i) {
      g.at(j, i) += h.at(j, i);
      g.at(j, i) = g.half(h.half(g.at(j, i)));
    }
}

template <class T> struct Matrix {
  std::vector<T> data;
  int rows, columns;
  T &operator()(int i, int j) { return data[i * columns + j]; }
  const T &operator()(int i, int j) const { return data[i * columns + j]; }
};

// CHECK: multiply fresh template {{.*}} verified on the emulator
void multiply(const Matrix<float> &a, const Matrix<float> &b, Matrix<float> &c) {
  [[autokernel]] for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < b.columns; ++j) {
      float s = 0;
      for (int k = 0; k < a.columns; ++k)
        s += a(i, k) * b(k, j);
      c(i, j) = s;
    }
}

// CHECK: lambdas fresh template map{{.*}} verified on the emulator
void lambdas(int n, const float *x, float *y, float a) {
  auto scaled = [&](float v) { return a * v; };
  [[autokernel]] for (int i = 0; i < n; ++i) {
    auto at = [&](int k) -> float { return x[k] + 1; };
    y[i] = scaled(at(i)) + scaled(2);
  }
}

// A number that may be an element of the written array is passed as a place.
// CHECK: aliased fresh template map{{.*}} verified on the emulator
struct Limits { int limit; };
void aliased(int n, const Limits *l, int *y) {
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] += l->limit;
}
