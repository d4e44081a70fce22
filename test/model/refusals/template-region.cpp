// Instantiations that can't be told apart where the loop stands.
// RUN: not %autokernel scan %s -- -std=c++17 2>&1 | FileCheck --implicit-check-not=error: %s
// RUN: not %autokernel scan %s -- -std=c++14 2>&1 | FileCheck --check-prefix=OLD %s

// OLD: refused [template-region]: 'clear<float>' can't be told apart here: choosing its kernel takes 'if constexpr' of C++17
template <class T> void clear(T *y, int n) {
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = 0;
}

template <class T> void unused(T *y, int n) {
  // CHECK: [[#@LINE+1]]:18 unused refused [template-region]: nothing in this source instantiates the template
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = 0;
}

template <class... T> void packed(T... y) {
  float *all[] = {y...};
  float *first = all[0];
  // CHECK: refused [template-region]: 'packed<float *, float *>' can't be told apart here: it has a parameter pack
  [[autokernel]] for (int i = 0; i < 9; ++i) first[i] = 0;
}

template <class T> struct Friendly {
  // CHECK: befriended refused [template-region]: the arguments of the template around it are not known
  friend void befriended(Friendly *, T *y, int n) {
    [[autokernel]] for (int i = 0; i < n; ++i) y[i] = 0;
  }
};

// CHECK: refused [template-region]: the arguments of the template around it are not known
template <class T> auto variable = [](T *y, int n) {
  [[autokernel(variable)]] for (int i = 0; i < n; ++i) y[i] = 0;
};

class Outer {
  struct Hidden { enum { by = 2 }; };
public:
  static void use(float *y);
};

template <class By> void scaled(float *y, int n) {
  float by = By::by;
  // CHECK: scaled_Hidden refused [template-region]: 'Outer::Hidden' can't be named here, and a local type may be printed the same
  // CHECK: scaled_Late refused [template-region]: 'Late' can't be named here, and a local type may be printed the same
  // CHECK: refused [template-region]: 'scaled<(unnamed struct)>' can't be told apart here: its argument '(unnamed struct)' has no name at this place
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] *= by;
}

template <class By> void kept(float *y, int n) {
  float by = By::by;
  // CHECK: refused [template-region]: 'kept<Pair<{{.*}}>>' can't be told apart here: its argument 'Pair<{{.*}}>' is declared after the template
  // CHECK: refused [template-region]: 'kept<Unseen>' can't be told apart here: its argument 'Unseen' is declared after the template
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] *= by;
}
template <int N> struct Pair { enum { by = N }; };
namespace { struct Unseen { enum { by = 3 }; }; }

float pivot;
template <float *P> void pivoted(float *y, int n) {
  // CHECK: refused [template-region]: 'pivoted<&pivot>' can't be told apart here: its argument 'P' is neither a type nor an integer
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] *= *P;
}

void Outer::use(float *y) { scaled<Hidden>(y, 3); }
struct Late { enum { by = 3 }; };

void use(float *y) {
  clear(y, 3);
  packed(y, y);
  scaled<Late>(y, 3);
  pivoted<&pivot>(y, 3);
  kept<Pair<2>>(y, 3);
  kept<Unseen>(y, 3);
  befriended(static_cast<Friendly<float> *>(nullptr), y, 3);
  variable<float>(y, 3);
  struct { enum { by = 5 }; } unnamed;
  scaled<decltype(unnamed)>(y, 3);
}
