// RUN: not %autokernel scan %s -- -std=c++17 2>&1 | FileCheck %s
// An attribute on something that is no region is an error, never silence.
void whileLoop(float *y, int n) {
  int i = 0;
  // CHECK-DAG: refused [attribute-misuse]: 'autokernel' belongs on a 'for' loop, a block or a function, not on this statement
  [[autokernel]] while (i < n) y[i++] = 0;
}

void declaration(int n) {
  // CHECK-DAG: refused [attribute-misuse]: 'autokernel' belongs on a 'for' loop, a block or a function, not on this declaration
  [[autokernel]] int unused = n;
}

void clauseAlone(float *y, int n) {
  // CHECK-DAG: refused [attribute-misuse]: 'autokernel_exact' means nothing without {{\[\[}}autokernel{{\]\]}} beside it
  [[autokernel_exact]] for (int i = 0; i < n; ++i) y[i] = 0;
}

void misspelt(float *y, int n) {
  // CHECK-DAG: refused [attribute-misuse]: there is no clause 'autokernel_tolerence'
  [[autokernel, autokernel_tolerence(1e-3)]] for (int i = 0; i < n; ++i) y[i] = 0;
}

void otherSpelling(float *y, int n) {
  // CHECK-DAG: refused [attribute-misuse]: this spelling is not known; write {{\[\[}}autokernel{{\]\]}}
  __attribute__((autokernel)) for (int i = 0; i < n; ++i) y[i] = 0;
}

// CHECK-DAG: refused [attribute-misuse]: this declaration has no body
[[autokernel]] void declared(float *y, int n);

void nested(float *y, int n, int m) {
  [[autokernel]] for (int i = 0; i < n; ++i)
    // CHECK-DAG: refused [attribute-misuse]: this region lies inside another one
    [[autokernel]] for (int j = 0; j < m; ++j) y[i * m + j] = 0;
}
