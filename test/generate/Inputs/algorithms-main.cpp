#include REWRITTEN
#include "compare.h"

struct Data {
  std::vector<float> f = std::vector<float>(80), g = std::vector<float>(80);
  std::vector<double> d = std::vector<double>(80), e = std::vector<double>(80);
  std::vector<int> i = std::vector<int>(80);
  double sum = -1;
  bool operator==(const Data &o) const {
    return f == o.f && g == o.g && d == o.d && e == o.e && i == o.i && sum == o.sum;
  }
};

static Data data() {
  Data d;
  fill(d.f);
  fill(d.g);
  fill(d.d);
  fill(d.e);
  return d;
}

int main() {
  auto test = [](const char *name, auto f) { same(name, data, f); };
  test("each", [](Data &d) { each(d.f, 2); });
  test("eachOf", [](Data &d) { eachOf(d.f.data(), 80); });
  test("unary", [](Data &d) { unary(d.f.data(), d.g.data(), 80, 3); });
  test("statements", [](Data &d) { statements(d.f.data(), d.g.data(), 80); });
  test("binary", [](Data &d) { binary(d.d, d.e); });
  test("sum", [](Data &d) { d.sum = sum(d.f.data(), 80); });
  test("dot", [](Data &d) { d.sum = dot(d.d, d.e); });
  test("largest", [](Data &d) { d.sum = largest(d.f.data(), 80); });
  test("norm", [](Data &d) { d.sum = norm(d.d); });
  test("rows", [](Data &d) { rows(d.f.data(), d.g.data(), 8, 10); });
  test("fills", [](Data &d) { fills(d.f, d.g.data(), d.i); });
  test("copies", [](Data &d) {
    float z[20] = {};
    copies(d.f.data(), d.g.data(), 40, z);
    d.sum = z[19];
  });
  test("positive", [](Data &d) { d.sum = positive(d.f.data(), 80); });
  test("swaps", [](Data &d) { swaps(d.f.data(), d.g.data(), 80); });
  test("clamps", [](Data &d) { clamps(d.f.data(), d.g.data(), 80); });
}
