#include REWRITTEN
#include "compare.h"

struct Data {
  std::vector<float> f = std::vector<float>(80), g = std::vector<float>(80);
  std::vector<double> d = std::vector<double>(80);
  bool operator==(const Data &o) const {
    return f == o.f && g == o.g && d == o.d;
  }
};

static Data data() {
  Data d;
  fill(d.f);
  fill(d.g);
  fill(d.d);
  return d;
}

int main() {
  auto test = [](const char *name, auto f) { same(name, data, f); };
  test("axpy", [](Data &d) { axpy(d.f.data(), d.g.data(), 2, 80); });
  test("product", [](Data &d) {
    product(d.f.data(), d.f.data() + 60, d.g.data(), 9, 7);
  });
  test("early", [](Data &d) { early(d.f.data(), d.g.data(), 79); });
  test("renamed", [](Data &d) { renamed(d.f.data(), d.g.data(), 80); });
  test("references", [](Data &d) { references(d.f.data(), d.g.data(), 80); });
  test("templates", [](Data &d) { templates(d.f.data(), d.d.data(), 80); });
  test("scoped", [](Data &d) { scoped(d.f.data(), d.g.data(), 80); });
  test("lambdas", [](Data &d) { lambdas(d.f.data(), d.g.data(), 80, 1.5f); });
  test("passed", [](Data &d) { passed(d.f.data(), d.g.data(), 40); });
  auto onGrid = [&](const char *name, auto f) {
    test(name, [&](Data &d) {
      Grid g(8, 10), h(8, 10);
      g.now = d.f;
      h.now = d.g;
      f(g, h);
      d.f = g.next;
      d.g = h.next;
    });
  };
  onGrid("step", [](Grid &g, Grid &) { g.step(); });
  onGrid("sums", [](Grid &g, Grid &h) { g.sums(h.now.data()); });
  onGrid("outside", [](Grid &g, Grid &h) { outside(g, h); });
}
