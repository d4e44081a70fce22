// RUN: not %autokernel scan %s -- -std=c++17 2>&1 | FileCheck %s
#include <vector>

static float count(float x) {
  static int calls;
  return x * ++calls;
}
static int depth(int x) { return x > 0 ? depth(x - 1) + 1 : 0; }

void withState(float *y, const float *x, int n) {
  // CHECK: refused [call-unsupported]: 'count' can't be taken into a kernel: it keeps the state of 'calls'
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = count(x[i]);
}

void recursive(float *y, int n) {
  // CHECK: refused [call-unsupported]: 'depth' can't be taken into a kernel: it calls itself
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = depth(i);
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
};

void virtualCall(Counter &c, int *y, int n) {
  // CHECK: refused [call-unsupported]: 'get' can't be taken into a kernel: it is virtual
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = c.get();
}

// What it changes makes the iterations depend on each other.
void changes(Counter &c, int *y, int n) {
  // CHECK: changes refused [carried-dependence]
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = c.next();
}

void copies(int *y, int n, int a) {
  auto f = [a](int i) { return i + a; };
  a = 3;
  // CHECK: refused [call-unsupported]: the lambda can't be taken into a kernel: it copies 'a', which is not const; capture by reference
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = f(i);
}

void inHeader(const float *x, float *y, int n) {
  auto length = [&](int i) {
    int k = 0;
    while (x[i * 9 + k] > 0)
      ++k;
    return k;
  };
  // CHECK: refused [call-unsupported]: the lambda can't be taken into a kernel: it is called in the header of a loop
  [[autokernel]] for (int i = 0; i < n; ++i)
    for (int k = 0; k < length(i); ++k)
      y[i] += x[i * 9 + k];
}

static float half(const float *x, int i) {
  float v = x[i];
  return v / 2;
}

void conditional(const float *x, float *y, int n) {
  // CHECK: refused [call-unsupported]: 'half' can't be taken into a kernel: it is called under a condition inside an expression; write an 'if'
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = i > 3 ? half(x, i) : 0;
}

static float taken(float *x, int i) {
  float v = x[i];
  x[i] = 0;
  return v;
}

// Whether x[i] is read before or after the call isn't told.
void unordered(float *x, float *y, int n) {
  // CHECK: refused [call-unsupported]: 'taken' can't be taken into a kernel: it changes memory inside a larger expression; make the call a statement of its own
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = x[i] + taken(x, i);
}

void twoChanges(const float *x, float *y, int n) {
  // CHECK: refused [call-unsupported]: 'half' can't be taken into a kernel: its statement changes something else, too; make the call a statement of its own
  [[autokernel]] for (int i = 0; i < n; ++i) {
    int k = i;
    y[i] = half(x, k) + k++;
  }
}

static int found(const float *x, int n) {
  for (int i = 0; i < n; ++i)
    if (x[i] > 2)
      return i;
  return n;
}

void returnsInLoop(const float *x, int *y, int n, int m) {
  // CHECK: refused [call-unsupported]: 'found' can't be taken into a kernel: it returns from inside a loop or switch
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = found(x + i * m, m);
}

static void endless(float *x, int i) {
  if (i > 0)
    endless(x, i - 1);
  x[i] = 0;
}

void recursion(float *y, int n) {
  // CHECK: refused [call-unsupported]: 'endless' can't be taken into a kernel: it calls itself
  [[autokernel]] for (int i = 0; i < n; ++i) endless(y, i);
}

static float kept(float *x, int i) {
  static float last;
  x[i] += last;
  return x[i];
}

void withMemory(float *y, int n) {
  // CHECK: refused [call-unsupported]: 'kept' can't be taken into a kernel: it keeps the state of 'last'
  [[autokernel]] for (int i = 0; i < n; ++i) kept(y, i);
}

// A name that means something else at the call.
static float offset;
static float shifted(const float *x, int i) {
  float v = x[i] + offset;
  return v;
}

void hides(const float *x, float *y, int n, float offset) {
  // CHECK: refused [call-unsupported]: 'shifted' can't be taken into a kernel: 'offset' means something else where it is called
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = shifted(x, i) + offset;
}

void mutableLambda(float *y, int n) {
  int calls = 0;
  auto f = [calls](float *p, int i) mutable { p[i] = ++calls; };
  // CHECK: refused [call-unsupported]: the lambda can't be taken into a kernel: it copies 'calls', which is not const; capture by reference
  [[autokernel]] for (int i = 0; i < n; ++i) f(y, i);
}
