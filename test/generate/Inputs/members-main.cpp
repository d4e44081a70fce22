#include REWRITTEN
#include "compare.h"

struct Data {
  std::vector<float> now = std::vector<float>(60), next = std::vector<float>(60);
  std::vector<double> out = std::vector<double>(60);
  double total = 0;
  bool operator==(const Data &) const = default;
};

static Data data() {
  Data d;
  fill(d.now);
  fill(d.next);
  fill(d.out);
  return d;
}

/// Calls `f` with a grid over the data.
template <class F> void with(Data &d, F f) {
  Grid g;
  g.nx = 10;
  g.ny = 6;
  g.now = d.now.data();
  g.next = d.next;
  f(g);
  d.next = g.next;
  d.total = g.total;
}

int main() {
  auto member = [](const char *name, auto f) {
    same(name, data, [&](Data &d) { with(d, [&](Grid &g) { f(g, d); }); });
  };
  member("scale", [](Grid &g, Data &) { g.scale(3); });
  member("explicitThis", [](Grid &g, Data &) { g.withThis(); });
  member("relax", [](Grid &g, Data &) { g.relax(); });
  member("constant", [](Grid &g, Data &d) { g.constant(d.out.data()); });
  member("sum", [](Grid &g, Data &d) { g.sum(d.out.data()); });
  member("captured", [](Grid &g, Data &) { g.captured(); });
  member("nested", [](Grid &g, Data &d) {
    Pair p{g, &g, nullptr}, q{g, &g, std::make_unique<double[]>(60)};
    nested(p, &q);
    g.next = p.a.next;
    for (int i = 0; i < 10; ++i)
      d.out[i] = q.data[i];
  });
  member("functions", [](Grid &g, Data &) {
    Grid h = g;
    std::vector<float> other(100);
    fill(other);
    h.nx = 14;
    h.now = other.data();
    functions(g, h);
  });
  struct Matrices {
    Matrix<float> a{std::vector<float>(12), 3, 4}, b{std::vector<float>(20), 4, 5},
        c{std::vector<float>(15), 3, 5};
    bool operator==(const Matrices &o) const { return c.data == o.c.data; }
  };
  auto matrices = [] {
    Matrices m;
    fill(m.a.data);
    fill(m.b.data);
    return m;
  };
  same("multiply", matrices, [](Matrices &m) { multiply(m.a, m.b, m.c); });
  same("lambdas", data,
       [](Data &d) { lambdas(60, d.now.data(), d.next.data(), 3); });
  struct Ints {
    int y[9];
    bool operator==(const Ints &o) const { return !std::memcmp(y, o.y, sizeof y); }
  };
  auto ints = [] {
    Ints i;
    fill(i.y);
    return i;
  };
  same("aliased", ints, [](Ints &i) {
    Limits l{5};
    aliased(9, &l, i.y);
  });
}
