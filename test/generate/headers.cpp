// Loops in headers: the source reads copies of them, and of what includes them.
// RUN: rm -rf %t && %autokernel generate --without-nvcc --kernel-dir %t %s -- -std=c++17 -I%S/Inputs/headers | FileCheck %s
// RUN: %python %S/Inputs/through_reference.py %autokernel %t %s %S/Inputs/headers-main.cpp %t/run -std=c++17 -I%S/Inputs/headers
// RUN: FileCheck --check-prefix=SOURCE %s < %t/run/rewritten.cpp
// RUN: g++ -std=c++17 -Wall -Wextra -Werror -c -I%S/Inputs/headers %t/run/rewritten.cpp -o %t/gcc.o
// RUN: clang++ -std=c++17 -Wall -Wextra -Werror -c -I%S/Inputs/headers %t/run/rewritten.cpp -o %t/clang.o
// RUN: grep -q 'autokernel_dispatch_relax_' %t/gcc.o && grep -q 'autokernel_dispatch_scale_' %t/gcc.o

// Diagnostics name the header, not its copy.
// RUN: not g++ -std=c++17 -fsyntax-only -I%S/Inputs/headers -DFAULT %t/run/rewritten.cpp 2>&1 | FileCheck --check-prefix=FAULT %s

// The depfile has the original, so that a change is seen.
// RUN: %autokernel rewrite --quiet --without-nvcc --kernel-dir %t --output-source=%t/a.cpp --output-header=%t/a.h --output-cuda=%t/a.cu --depfile=%t/a.d %s -- -std=c++17 -I%S/Inputs/headers
// RUN: grep -q 'Inputs/headers/detail/scale.h' %t/a.d

// CHECK: own fresh template map{{.*}} verified on the emulator
// CHECK: scale fresh template map{{.*}} verified on the emulator
// CHECK: relax fresh template map{{.*}} verified on the emulator
// CHECK: square fresh template map{{.*}} verified on the emulator

// SOURCE: #include "{{.*}}dispatch.h" /* headers {{[0-9a-f]+}} */
// SOURCE: #include "{{.*}}/rewritten.cpp.headers/{{.*}}/outer.h"
// SOURCE: #include "{{.*}}/rewritten.cpp.headers/{{.*}}/relax.h"
#include <outer.h>
#include "Inputs/headers/relax.h"
#include <cmath>

inline void own(int n, float *x) {
  // SOURCE: autokernel{{_}}dispatch_own
  [[autokernel]] for (int i = 0; i < n; ++i) x[i] += 1;
}

void all(int n, float *x) { twice(n, x); }

#ifdef FAULT
int fault = Field().nothing;
void wrong(Field f) { f.square(1); }
// FAULT: headers.cpp:[[#@LINE-2]]:21: error
// FAULT: Inputs/headers/relax.h:19:8: note
#endif
