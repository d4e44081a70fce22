// A header is not rewritten where another place than a source's own line
// includes it, where its loop is there twice, or where its name is taken.
// RUN: not %autokernel scan %s -- -std=c++17 -include %S/Inputs/scaled.h 2>&1 | FileCheck --check-prefix=COMMAND %s
// RUN: not %autokernel scan %s -- -std=c++17 -DTWICE 2>&1 | FileCheck --check-prefix=TWICE %s
// RUN: not %autokernel scan %s -- -std=c++17 -DNAMED 2>&1 | FileCheck --check-prefix=NAMED %s
// RUN: not %autokernel scan %s -- -std=c++17 -DSEVERAL 2>&1 | FileCheck --check-prefix=SEVERAL %s

// The source is rewritten all the same.
// RUN: rm -rf %t && mkdir %t
// RUN: %autokernel rewrite --without-nvcc --kernel-dir=%t --output-source=%t/a.cpp --output-header=%t/a.h --output-cuda=%t/a.cu %s -- -std=c++17 -DTWICE
// RUN: FileCheck --check-prefix=SOURCE %s < %t/a.cpp

// COMMAND: own taken: map
// COMMAND: scaled.h:{{.*}} refused [header-region]: the command line includes this header, as it does with a precompiled one, before it can be rewritten
#include "Inputs/scaled.h"

// TWICE: own taken: map
// TWICE: filled.inc:{{.*}} refused [header-region]: this source includes the loop more than once
// SOURCE: #include{{ }}"Inputs/filled.inc"
#ifdef TWICE
#define TYPE float
#include "Inputs/filled.inc"
#undef TYPE
#define TYPE double
#include "Inputs/filled.inc"
#endif

// SEVERAL: filled.inc:{{.*}} refused [header-region]: what includes this header names other files by the same line
#ifdef SEVERAL
#define TYPE float
#define FILE "filled.inc"
#include "Inputs/include_file.inc"
#undef FILE
#define FILE "nothing.inc"
#include "Inputs/include_file.inc"
#endif

// SOURCE: autokernel{{_}}dispatch_own
// SOURCE-SAME: for (int i = 0; i < n; ++i) x[i] += 2;
void own(float *x, int n) {
  [[autokernel]] for (int i = 0; i < n; ++i) x[i] += 2;
}

// The source's own region keeps its name.
// NAMED: own taken: map
// NAMED: scaled taken: map
// NAMED: scaled.h:{{.*}} refused [header-region]: another region of this source has the name 'scaled'; give one of them its own: {{\[\[}}autokernel("name")]]
#ifdef NAMED
namespace other {
void scaled(float *x, int n) {
  [[autokernel]] for (int i = 0; i < n; ++i) x[i] += 3;
}
}
#endif
