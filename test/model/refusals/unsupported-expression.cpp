// RUN: not %autokernel scan %s -- -std=c++17 2>&1 | FileCheck %s

struct Field {
  float *data;
  int size;
  void clear() {
    // CHECK: refused [unsupported-expression]: members of structs and classes are not taken yet
    [[autokernel]] for (int i = 0; i < size; ++i) data[i] = 0;
  }
};

void member(Field &f) {
  // CHECK: refused [unsupported-expression]: members of structs and classes are not taken yet
  [[autokernel]] for (int i = 0; i < f.size; ++i) f.data[i] = 0;
}

void comma(float *y, int n) {
  // CHECK: refused [unsupported-expression]: the operator ',' can't be taken into a kernel
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = 1, y[i] = 2;
}

void newExpression(int **y, int n) {
  int *one = nullptr;
  // CHECK: refused [unsupported-expression]
  [[autokernel]] for (int i = 0; i < n; ++i) delete one;
}
