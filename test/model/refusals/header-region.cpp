// A loop in a header is reported, and the source's own loop is taken as ever.
// RUN: not %autokernel scan %s -- -std=c++17 2>&1 | FileCheck %s
// RUN: rm -rf %t && mkdir %t
// RUN: %autokernel rewrite --without-nvcc --kernel-dir=%t --output-source=%t/a.cpp --output-header=%t/a.h --output-cuda=%t/a.cu %s -- -std=c++17
// RUN: FileCheck --check-prefix=SOURCE %s < %t/a.cpp

// CHECK: own taken: map
// CHECK: scaled.h:{{.*}} refused [header-region]: annotated loops in headers are not taken yet
#include "Inputs/scaled.h"

// SOURCE: #include "Inputs/scaled.h"
// SOURCE: autokernel_dispatch_own
// SOURCE: for (int i = 0; i < n; ++i) x[i] += 2;
void own(float *x, int n) {
  [[autokernel]] for (int i = 0; i < n; ++i) x[i] += 2;
}
