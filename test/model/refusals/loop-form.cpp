// RUN: not %autokernel scan %s -- -std=c++17 2>&1 | FileCheck %s

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

void rangeFor(float (&y)[8]) {
  // CHECK: refused [loop-form]: range-for loops are not taken yet
  [[autokernel]] for (float &e : y) e = 0;
}

void floatBound(float *y, float n) {
  // CHECK: refused [loop-form]: the loop's bound is not an integer
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = 0;
}
