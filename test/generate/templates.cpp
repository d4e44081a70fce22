// Each instantiation of a template has a kernel of its own, chosen at its place.
// RUN: rm -rf %t && not %autokernel generate --without-nvcc --kernel-dir %t %s -- -std=c++17 2>&1 | FileCheck %s
// RUN: %python %S/Inputs/through_reference.py %autokernel %t %s %S/Inputs/templates-main.cpp %t/run -std=c++17
// RUN: FileCheck --check-prefix=SOURCE %s < %t/run/rewritten.cpp
// RUN: FileCheck --check-prefix=REFERENCE %s < %t/axpy_double.reference.cpp
// RUN: g++ -std=c++17 -Wall -Wextra -Werror -c %t/run/rewritten.cpp -o %t/gcc.o
// RUN: clang++ -std=c++17 -Wall -Wextra -Werror -c %t/run/rewritten.cpp -o %t/clang.o
// RUN: %autokernel scan --format=json %s -- -std=c++17 > %t/scan.json || true
// RUN: FileCheck --check-prefix=JSON %s < %t/scan.json
#include <vector>

// REFERENCE: Reference of region axpy_double: templates.cpp, function axpy<double>.
// REFERENCE: typedef double T;
// REFERENCE: T scaled = a * x[i];
// JSON: "id": "axpy_float"
// JSON: "id": "axpy_double"
// CHECK: axpy_float fresh template map{{.*}} verified on the emulator
// CHECK: axpy_double fresh template map{{.*}} verified on the emulator
// SOURCE: if constexpr (::autokernel_choice::same<T, float>::value) { autokernel_mode_ = autokernel{{_}}dispatch_axpy_float_
// SOURCE-SAME: else if constexpr (::autokernel_choice::same<T, double>::value) { autokernel_mode_ = autokernel_dispatch_axpy_double_
template <class T> void axpy(int n, T a, const T *x, T *y) {
  [[autokernel]] for (int i = 0; i < n; ++i) {
    T scaled = a * x[i];
    y[i] += static_cast<T>(scaled);
  }
}

// Values, and a loop of one of them.
// CHECK: smooth_int_3 fresh template {{.*}} verified on the emulator
// CHECK: smooth_float_5 fresh template {{.*}} verified on the emulator
template <class T, int Width> void smooth(int n, const T *x, T *y) {
  [[autokernel]] for (int i = 0; i < n - Width; ++i) {
    T sum = T(0);
    for (int k = 0; k < Width; ++k)
      sum += x[i + k];
    y[i] = sum;
  }
}

// Members; one is defined outside with another name for the argument.
template <class Real, bool Negated = false> struct Grid {
  int n;
  std::vector<Real> now;
  // CHECK: doubled_float_false fresh template map{{.*}} verified on the emulator
  // CHECK: doubled_double_true fresh template map{{.*}} verified on the emulator
  void doubled() {
    [[autokernel]] for (int i = 0; i < n; ++i) {
      Real old = now[i];
      now[i] = old + old;
    }
  }
  void shift(Real by);
  template <class Index> void gather(const Index *from, Real *to) const;
};

// CHECK: shift_double_true fresh template map{{.*}} verified on the emulator
template <class R, bool N> void Grid<R, N>::shift(R by) {
  [[autokernel(shift)]] for (int i = 0; i < n; ++i) now[i] += N ? -by : by;
}

// CHECK: gather_float_false_short fresh template map{{.*}} verified on the emulator
template <class R, bool N>
template <class Index>
void Grid<R, N>::gather(const Index *from, R *to) const {
  [[autokernel]] for (int i = 0; i < n; ++i) to[i] = now[from[i]];
}

// The attribute before the function.
// CHECK: whole_unsigned_char fresh template map{{.*}} verified on the emulator
template <class T> [[autokernel]] void whole(int n, T *y) {
  for (int i = 0; i < n; ++i)
    y[i] = y[i] / 2;
}

// CHECK: values_Mode_slow_a_m5_7 fresh template map{{.*}} verified on the emulator
// CHECK: values_Mode_fast_b_5_2 fresh template map{{.*}} verified on the emulator
enum class Mode : signed char { slow = -1, fast = 3 };
template <Mode M, char C, long Big, auto N> void values(int n, double *y) {
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] += int(M) * 1000 + C * Big + N;
}

// A type of the user's, and one argument that nobody can name.
struct Half {
  static constexpr int by = 2;
};
// CHECK: divided_Half fresh template map{{.*}} verified on the emulator
// CHECK: divided_Local refused [template-region]: 'divided<Local>' can't be told apart here: its argument 'Local' has no name at this place
template <class By> void divided(int n, float *y) {
  const int by = By::by;
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] /= by;
}

// Types that can't be named where the template stands.
// CHECK: atLeast_Leaf fresh template map{{.*}} verified on the emulator
// CHECK: atLeast_Other fresh template map{{.*}} verified on the emulator
template <class Derived> struct Base {
  void atLeast(int n, float *x) {
    const int least = Derived::least;
    [[autokernel]] for (int i = 0; i < n; ++i) x[i] = x[i] < least ? least : x[i];
  }
};
namespace leaves {
struct Leaf : Base<Leaf> {
  static constexpr int least = 4;
};
class Owner {
  struct Other : Base<Other> {
    static constexpr int least = 9;
  };

public:
  static void apply(int n, float *x) { Other().atLeast(n, x); }
};
} // namespace leaves

// An ordinary function of the same name is a region of its own.
// CHECK: axpy_2 fresh template map{{.*}} verified on the emulator
template <> void axpy<int>(int n, int a, const int *x, int *y) {
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] -= a * x[i];
}

// CHECK: addOne_float fresh template map{{.*}} verified on the emulator
inline void generic(int n, float *y) {
  auto addOne = [n](auto *p) {
    [[autokernel(addOne)]] for (int i = 0; i < n; ++i) p[i] += 1;
  };
  addOne(y);
}

// CHECK: unused{{.*}} refused [template-region]: nothing in this source instantiates the template
template <class T> void unused(int n, T *y) {
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = 0;
}

template void axpy<float>(int, float, const float *, float *);
inline void use(int n, float *f, double *d, int *k, unsigned char *b, const short *from) {
  axpy(n, 2.0, d, d + n);
  axpy(n, 2, k, k + n);
  smooth<int, 3>(n, k, k + n);
  smooth<float, 5>(n, f, f + n);
  Grid<float> g{n, std::vector<float>(f, f + n)};
  g.doubled();
  g.gather(from, f);
  Grid<double, true> h{n, {}};
  h.doubled();
  h.shift(3);
  whole(n, b);
  leaves::Leaf().atLeast(n, f);
  leaves::Owner::apply(n, f);
  values<Mode::slow, 'a', -5, 7u>(n, d);
  values<Mode::fast, 'b', 5, 2>(n, d);
  divided<Half>(n, f);
  struct Local {
    enum { by = 3 };
  };
  divided<Local>(n, f);
}
