// RUN: %autokernel scan --format=json %s -- -std=c11 | FileCheck %s

// CHECK: "id":{{ ?}}"scale"
// CHECK: "state":{{ ?}}"accepted"
void scale(float *restrict y, const float *restrict x, int n) {
  int i;
  [[autokernel]] for (i = 0; i < n; ++i) y[i] = 2 * x[i];
}
