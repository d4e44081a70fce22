// RUN: not %autokernel scan %s -- -std=c++20 2>&1 | FileCheck --implicit-check-not=error: %s

constexpr int sum(int n) {
  int s = 0;
  // CHECK: [[#@LINE+1]]:18 sum refused [constexpr-region]: a kernel can't be chosen in a function that may run at compile time
  [[autokernel]] for (int i = 0; i < n; ++i) s += i;
  return s;
}

template <class T> constexpr T product(T n) {
  T p = 1;
  // CHECK: product_int refused [constexpr-region]
  [[autokernel]] for (T i = 1; i < n; ++i) p *= i;
  return p;
}

// CHECK: filled refused [constexpr-region]
// A lambda that only may be constexpr is none.
// CHECK: cleared taken
void lambdas(float *y, int n) {
  auto filled = [=]() constexpr {
    [[autokernel(filled)]] for (int i = 0; i < n; ++i) y[i] = 1;
  };
  auto cleared = [=]() {
    [[autokernel(cleared)]] for (int i = 0; i < n; ++i) y[i] = 0;
  };
  filled();
  cleared();
}

int use(int n) { return sum(n) + product(n); }
