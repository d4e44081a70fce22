// RUN: not %autokernel scan %s -- -std=c++17 2>&1 | FileCheck %s

struct Flags {
  int few : 3;
  union {
    int i;
    float f;
  } either;
};

void bits(Flags &f, int *y, int n) {
  // CHECK: refused [unsupported-expression]: 'few' is a bit-field; its bits can't be a parameter
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = f.few;
}

void unions(Flags &f, int *y, int n) {
  // CHECK: refused [unsupported-expression]: 'i' is a member of a union
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = f.either.i;
}

struct List {
  float value;
  List *next;
};

void chained(List *l, float *y, int n) {
  // CHECK: refused [{{unsupported-expression|unsupported-type}}]
  [[autokernel]] for (int i = 0; i < n; ++i) {
    List *at = l;
    for (; at; at = at->next)
      y[i] += at->value;
  }
}

struct Whole {
  float *data;
  int size;
  void all() {
    // CHECK: refused [unsupported-expression]: the object itself can't be used in a region; its members can
    [[autokernel]] for (int i = 0; i < size; ++i) data[i] = this == nullptr;
  }
};

void comma(float *y, int n) {
  // CHECK: refused [unsupported-expression]: the operator ',' can't be taken into a kernel
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = 1, y[i] = 2;
}

void newExpression(int **y, int n) {
  int *one = nullptr;
  // CHECK: refused [unsupported-expression]
  [[autokernel]] for (int i = 0; i < n; ++i) delete one;
}
