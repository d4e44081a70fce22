// RUN: not %autokernel scan %s -- -std=c++17 2>&1 | FileCheck %s
#include <vector>

void noStep(float *y, int n) {
  // CHECK: refused [loop-form]: the loop's header has no step
  [[autokernel]] for (int i = 0; i < n;) y[i++] = 0;
}

void doubling(float *y, int n) {
  // CHECK: refused [loop-form]: the loop's step is not '++i', 'i += s' or the like
  [[autokernel]] for (int i = 1; i < n; i *= 2) y[i] = 0;
}

void wrongWay(float *y, int n) {
  // CHECK: refused [loop-form]: the loop's condition and step point in different directions
  [[autokernel]] for (int i = 0; i < n; --i) y[i] = 0;
}

void otherCondition(float *y, int n, int k) {
  // CHECK: refused [loop-form]: the loop's condition doesn't compare its counter 'i'
  [[autokernel]] for (int i = 0; k < n; ++i) y[i] = 0;
}

void pointerCounter(float *y, int n) {
  // CHECK: refused [loop-form]: the counter 'p' is not an integer
  [[autokernel]] for (float *p = y; p < y + n; ++p) *p = 0;
}

void notEqualByTwo(float *y, int n) {
  // CHECK: refused [loop-form]: a loop that ends at '!=' must step by one
  [[autokernel]] for (int i = 0; i != n; i += 2) y[i] = 0;
}

struct Range {
  float *begin();
  float *end();
};
void rangeFor(Range &r) {
  // CHECK: refused [loop-form]: a range-for loop over 'Range' is not taken
  [[autokernel]] for (float &e : r) e = 0;
}

void iterators(std::vector<float> &x) {
  // CHECK: refused [loop-form]: a loop over iterators has the form
  [[autokernel]] for (auto it = x.begin(); it != x.end() - 1; ++it) *it = 0;
}

void floatBound(float *y, float n) {
  // CHECK: refused [loop-form]: the loop's bound is not an integer
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = 0;
}
