// RUN: not %autokernel scan %s -- -std=c++17 2>&1 | FileCheck %s
#include <vector>

void f(float *y, int n, float stream) {
  // CHECK: refused [reserved-name]: the name 'stream' means something else in a kernel
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = stream;
}

void g(float *y, int n, float autokernel_scale) {
  // CHECK: refused [reserved-name]: the name 'autokernel_scale' means something else in a kernel
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = autokernel_scale;
}

void shadowed(float *y, int n, float a) {
  auto scaled = [&](float x) { return a * x; };
  // CHECK: refused [reserved-name]: 'a' means another variable where the function is called
  [[autokernel]] for (int i = 0; i < n; ++i) {
    float a = 3;
    y[i] = scaled(a);
  }
}

void shadowedArray(std::vector<float> &v, float *y, int n) {
  auto at = [&](int i) { return v[i]; };
  // CHECK: refused [reserved-name]: 'v' means another variable where the function is called
  [[autokernel]] for (int i = 0; i < n; ++i) {
    float v = 3;
    y[i] = at(i) + v;
  }
}
