// RUN: not %autokernel scan %s -- -std=c++17 2>&1 | FileCheck %s
#include <vector>

static float count(float x) {
  static int calls;
  return x * ++calls;
}
static int depth(int x) { return x > 0 ? depth(x - 1) + 1 : 0; }
static float first(const float *x) { return x[0]; }

void withState(float *y, const float *x, int n) {
  // CHECK: refused [call-unsupported]: 'count' can't be taken into a kernel: it keeps the state of 'calls'
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = count(x[i]);
}

void recursive(float *y, int n) {
  // CHECK: refused [call-unsupported]: 'depth' can't be taken into a kernel: it calls itself
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = depth(i);
}

void withPointer(float *y, const float *x, int n) {
  // CHECK: refused [call-unsupported]: 'first' can't be taken into a kernel: its parameter 'x' is no number
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = first(x + i);
}

void checked(std::vector<float> &y, int n) {
  // CHECK: refused [call-unsupported]: 'at' may throw; write v[i]
  [[autokernel]] for (int i = 0; i < n; ++i) y.at(i) = 0;
}

void grows(std::vector<float> &y, int n) {
  // CHECK: refused [call-unsupported]: 'push_back' of a container can't be called in a region; size(), data() and [] can
  [[autokernel]] for (int i = 0; i < n; ++i) y.push_back(0);
}

struct Counter {
  int n;
  virtual int get() { return n; }
  int next() { return ++n; }
  int twice() {
    int m = n;
    return m * 2;
  }
};

void virtualCall(Counter &c, int *y, int n) {
  // CHECK: refused [call-unsupported]: 'get' can't be taken into a kernel: it is virtual
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = c.get();
}

void longBody(Counter &c, int *y, int n) {
  // CHECK: refused [call-unsupported]: 'twice' can't be taken into a kernel: its body is more than one return statement
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = c.twice();
}

void changes(Counter &c, int *y, int n) {
  // CHECK: refused [call-unsupported]
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = c.next();
}

void copies(int *y, int n, int a) {
  auto f = [a](int i) { return i + a; };
  a = 3;
  // CHECK: refused [call-unsupported]: the lambda can't be taken into a kernel: it copies 'a', which is not const; capture by reference
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = f(i);
}
