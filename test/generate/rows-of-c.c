// Arrays of C whose rows have a length of the run time, and functions of C.
// RUN: rm -rf %t && %autokernel generate --without-nvcc --kernel-dir %t %s -- -std=c2x | FileCheck %s
// RUN: %python %S/Inputs/through_reference.py %autokernel %t %s %S/Inputs/rows-of-c-main.c %t/run -std=c2x
// RUN: FileCheck --check-prefix=REFERENCE %s < %t/variable.reference.c
// RUN: not %autokernel scan %s -- -std=c2x -DREFUSED 2>&1 | FileCheck --check-prefix=REFUSED %s

// CHECK: variable fresh template map{{.*}} verified on the emulator
// REFERENCE: a[(long)(i) * (m) + (j)] = 2 * b[(long)(i) * (m) + (j)];
void variable(int n, int m, float a[n][m], const float b[n][m]) {
  [[autokernel]] for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      a[i][j] = 2 * b[i][j];
}

// CHECK: cube fresh template {{.*}} verified on the emulator
void cube(int n, int m, int l, float a[n][m][l], const float *x) {
  [[autokernel]] for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      for (int k = 0; k < l; ++k)
        a[i][j][k] += x[k] * a[i][j][0];
}

// CHECK: casted fresh template map{{.*}} verified on the emulator
void casted(int n, int m, float *x, const float *y) {
  float(*a)[m] = (float(*)[m])x;
  float(*b)[4] = (float(*)[4])y;
  [[autokernel]] for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      a[i][j] = b[j][i % 4];
}

static float larger(const float *x, int i) {
  float v = x[i];
  if (v < 8)
    return 8 - v;
  return v;
}
static void add(float *to, const float *from, int n) {
  for (int j = 0; j < n; ++j)
    to[j] += larger(from, j);
}

// CHECK: sums fresh template rows{{.*}} verified on the emulator
void sums(int n, float a[n][6], const float *x) {
  [[autokernel]] for (int i = 0; i < n; ++i) add(a[i], x, 6);
}

#ifdef REFUSED
// The rows of `a` have another length than `m` says now.
// REFUSED: changed refused [pointer-escapes]
void changed(int n, int m, float a[n][m]) {
  ++m;
  [[autokernel]] for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      a[i][j] = 0;
}
#endif
