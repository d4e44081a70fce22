// Loops that macros write, whole or in part, and enumerations.
// RUN: rm -rf %t && %autokernel generate --without-nvcc --kernel-dir %t %s -- -std=c++20 | FileCheck %s
// RUN: %python %S/Inputs/through_reference.py %autokernel %t %s %S/Inputs/macros-main.cpp %t/run -std=c++20
// RUN: FileCheck --check-prefix=REFERENCE %s < %t/colours.reference.cpp

#define CLEAR(y, n) for (int i = 0; i < n; ++i) y[i] = 0
#define EACH(i, n) for (int i = 0; i < (n); ++i)
#define TWICE(v) ((v) + (v))
#define BODY(y, x) { float t = TWICE(x[i]); y[i] = t; }

// CHECK: whole fresh template map{{.*}} verified on the emulator
void whole(float *y, int n) { [[autokernel]] CLEAR(y, n); }

// CHECK: header fresh template map{{.*}} verified on the emulator
void header(float *y, const float *x, int n) {
  [[autokernel]] EACH(i, n) y[i] = TWICE(x[i]);
}

// CHECK: body fresh template map{{.*}} verified on the emulator
void body(float *y, const float *x, int n) {
  [[autokernel]] for (int i = 0; i < n; ++i) BODY(y, x)
}

enum Colour { Red, Green, Blue };
enum class Shape : unsigned char { Round = 3, Square };

// Unsigned in memory, an int in arithmetic.
// CHECK: colours fresh template map{{.*}} verified on the emulator
// REFERENCE: void autokernel_reference(int *c, unsigned char *s, const int *k, int n)
// REFERENCE: int old = c[i];
void colours(Colour *c, Shape *s, const int *k, int n) {
  [[autokernel]] for (int i = 0; i < n; ++i) {
    Colour old = c[i];
    c[i] = old - 1 < 0 ? Blue : Colour(old - 1);
    if (s[i] == Shape::Square && k[i] > static_cast<int>(old))
      s[i] = Shape::Round;
  }
}
