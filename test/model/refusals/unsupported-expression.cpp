// RUN: not %autokernel scan %s -- -std=c++17 2>&1 | FileCheck %s
#include <vector>

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

class Closed {
  std::vector<float> data;
  int columns;

public:
  float &operator()(int i, int j) { return data[i * columns + j]; }
};

void closed(Closed &m, int n) {
  // CHECK: refused [unsupported-expression]: '{{data|columns}}' can't be named in this function: it is private
  [[autokernel]] for (int i = 0; i < n; ++i) m(i, i) = 0;
}

struct Base {
  float *x;
  float &at(int i) { return x[i]; }
};
struct Hiding : Base {
  float *x;
};

void hidden(Hiding &h, int n) {
  // CHECK: refused [unsupported-expression]: 'x' can't be named in this function: it is private, or hidden by a derived class
  [[autokernel]] for (int i = 0; i < n; ++i) h.at(i) = 0;
}
