// RUN: %autokernel scan --format=json %s -- -std=c++17 | FileCheck %s

void plain(float *y, int n) {
  // CHECK: "id":{{ ?}}"plain"
  // CHECK: "state":{{ ?}}"accepted"
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = 1;
  // CHECK: "id":{{ ?}}"plain_2"
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] += 1;
}

void named(float *y, int n) {
  // CHECK: "id":{{ ?}}"saxpy"
  // CHECK: "line":{{ ?}}[[#@LINE+1]]
  [[autokernel(saxpy)]] for (int i = 0; i < n; ++i) y[i] = 2;
  // CHECK: "id":{{ ?}}"row_sums"
  [[autokernel("row sums")]] for (int i = 0; i < n; ++i) y[i] = 3;
}

// CHECK: "id":{{ ?}}"whole"
[[autokernel]] void whole(float *y, int n) {
  for (int i = 0; i < n; ++i) y[i] = 4;
}
