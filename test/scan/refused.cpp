// One refused region among taken ones: exit code 1, and JSON says which.
// RUN: not %autokernel scan --format=json %s -- -std=c++17 | FileCheck %s

void f(float *x, int n) {
  // CHECK: "id":{{ ?}}"f"
  // CHECK: "state":{{ ?}}"accepted"
  [[autokernel]] for (int i = 0; i < n; ++i) x[i] *= 2;
  // CHECK: "id":{{ ?}}"f_2"
  // CHECK: "state":{{ ?}}"refused"
  // CHECK: "refusal":
  // CHECK: "id":{{ ?}}"carried-dependence"
  [[autokernel]] for (int i = 1; i < n; ++i) x[i] += x[i - 1];
}
