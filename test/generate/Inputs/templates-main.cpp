#include REWRITTEN
#include "compare.h"

template <class T> struct Data {
  std::vector<T> x = std::vector<T>(40);
  T *begin() { return x.data(); }
  bool operator==(const Data &o) const { return x == o.x; }
};

template <class T> Data<T> data() {
  Data<T> d;
  fill(d.x);
  return d;
}

template <class T, class F> void on(const char *name, F f) {
  same(name, data<T>, [&](Data<T> &d) { f(d.begin()); });
}

template <class G, class T, class F> void with(const char *name, F f) {
  on<T>(name, [&](T *x) {
    G g{20, std::vector<T>(x, x + 20)};
    f(g, x);
    for (int i = 0; i < 20; ++i)
      x[i] += g.now[i];
  });
}

int main() {
  on<float>("axpy<float>", [](float *x) { axpy(20, 3.0f, x, x + 20); });
  on<double>("axpy<double>", [](double *x) { axpy(20, 3.0, x, x + 20); });
  on<int>("axpy<int>", [](int *x) { axpy(20, 3, x, x + 20); });
  on<int>("smooth<int>", [](int *x) { smooth<int, 3>(20, x, x + 20); });
  on<float>("smooth<float>", [](float *x) { smooth<float, 5>(20, x, x + 20); });
  with<Grid<float>, float>("doubled<float>", [](auto &g, float *) { g.doubled(); });
  with<Grid<double, true>, double>("doubled<double>", [](auto &g, double *) { g.doubled(); });
  with<Grid<double, true>, double>("shift", [](auto &g, double *) { g.shift(2); });
  with<Grid<float>, float>("gather", [](auto &g, float *x) {
    short from[20];
    for (int i = 0; i < 20; ++i)
      from[i] = 19 - i;
    g.gather(from, x);
  });
  on<unsigned char>("whole", [](unsigned char *x) { whole(20, x); });
  on<double>("values<slow>", [](double *x) { values<Mode::slow, 'a', -5, 7u>(20, x); });
  on<double>("values<fast>", [](double *x) { values<Mode::fast, 'b', 5, 2>(20, x); });
  on<float>("atLeast<Leaf>", [](float *x) { leaves::Leaf().atLeast(20, x); });
  on<float>("atLeast<Other>", [](float *x) { leaves::Owner::apply(20, x); });
  on<float>("divided", [](float *x) { divided<Half>(20, x); });
  on<float>("generic", [](float *x) { generic(20, x); });
}
