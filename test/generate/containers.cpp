// Containers of the standard library, as arrays with a length.
// RUN: rm -rf %t && %autokernel generate --without-nvcc --kernel-dir %t %s -- -std=c++20 | FileCheck %s
// RUN: %python %S/Inputs/through_reference.py %autokernel %t %s %S/Inputs/containers-main.cpp %t/run -std=c++20
// RUN: FileCheck --check-prefix=REFERENCE %s < %t/saxpy.reference.cpp
// RUN: FileCheck --check-prefix=KERNEL %s < %t/saxpy.cu
#include <array>
#include <memory>
#include <span>
#include <valarray>
#include <vector>

// CHECK: saxpy fresh template map, {{.*}}: verified on the emulator
// REFERENCE: void autokernel_reference(float a, const float *x, unsigned long x_size, float *y)
// REFERENCE: for (size_t i = 0; i < x_size; ++i) y[i] = a * x[i] + y[i];
// KERNEL: autokernel_saxpy(float a, const float *x, unsigned long x_size, float *y,
void saxpy(float a, const std::vector<float> &x, std::vector<float> &y) {
  [[autokernel]] for (size_t i = 0; i < x.size(); ++i) y[i] = a * x[i] + y[i];
}

// CHECK: raw fresh {{.*}} verified on the emulator
void raw(std::vector<double> &x, std::unique_ptr<double[]> &y) {
  [[autokernel]] for (int i = 0; i < int(x.size()); ++i) y[i] = x.data()[i] + 1;
}

// CHECK: fixed fresh {{.*}} verified on the emulator
void fixed(const std::array<float, 40> &x, std::array<float, 40> &y) {
  [[autokernel]] for (size_t i = 0; i < x.size(); ++i) y[i] = x[i] * 2;
}

// CHECK: views fresh {{.*}} verified on the emulator
void views(std::span<const short> x, std::span<int> y) {
  [[autokernel]] for (size_t i = 0; i < x.size(); ++i) y[i] = x[i] * 3;
}

// CHECK: valarrays fresh {{.*}} verified on the emulator
void valarrays(const std::valarray<double> &x, std::valarray<double> &y) {
  [[autokernel]] for (size_t i = 0; i < x.size(); ++i) y[i] = x[i] - 3;
}

// CHECK: rangeFor fresh {{.*}} verified on the emulator
void rangeFor(std::vector<float> &x) {
  [[autokernel]] for (float &v : x) v *= 2;
}

// CHECK: rangeSum fresh template {{.*}} verified on the emulator
double rangeSum(const std::vector<double> &x) {
  double s = 0;
  [[autokernel]] for (double v : x) s += v * v;
  return s;
}

// CHECK: rangeInside fresh {{.*}} verified on the emulator
void rangeInside(int n, const std::vector<float> &weights, float *y) {
  [[autokernel]] for (int i = 0; i < n; ++i) {
    float s = 0;
    for (const auto &w : weights) {
      s += w * i;
    }
    y[i] = s;
  }
}

// CHECK: rangeArray fresh {{.*}} verified on the emulator
void rangeArray(float (&y)[80], float a) {
  [[autokernel]] for (auto &v : y) { v = v > a ? v : a; }
}

// CHECK: iterators fresh {{.*}} verified on the emulator
void iterators(std::vector<int> &x) {
  [[autokernel]] for (auto it = x.begin(); it != x.end(); ++it) *it = *it * 3 + 1;
}

// CHECK: table fresh {{.*}} verified on the emulator
void table(const std::vector<float> &t, const std::vector<int> &index, std::vector<float> &y) {
  [[autokernel]] for (size_t i = 0; i < index.size(); ++i) y[i] = t[index[i]];
}

// CHECK: narrowed fresh {{.*}} verified on the emulator
void narrowed(const std::vector<unsigned long> &index, const std::vector<float> &t, float *y, int n) {
  [[autokernel]] for (int i = 0; i < n; ++i) {
    float s = 0;
    for (int k : index)
      s += t[k];
    y[i] = s;
  }
}
