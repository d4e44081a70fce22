#include REWRITTEN
#include "compare.h"

struct Data {
  std::vector<float> f = std::vector<float>(80), g = std::vector<float>(80);
  std::vector<double> d = std::vector<double>(80);
  std::vector<int> i = std::vector<int>(80);
  double sum = 0;
  bool operator==(const Data &) const = default;
};

static Data data() {
  Data d;
  fill(d.f);
  fill(d.g);
  fill(d.d);
  fill(d.i);
  return d;
}

int main() {
  auto test = [](const char *name, auto f) { same(name, data, f); };
  test("saxpy", [](Data &d) { saxpy(2, d.f, d.g); });
  test("raw", [](Data &d) {
    auto y = std::make_unique<double[]>(80);
    raw(d.d, y);
    d.sum = y[3] + y[79];
  });
  test("fixed", [](Data &d) {
    std::array<float, 40> x{}, y{};
    fill(x);
    fixed(x, y);
    for (int i = 0; i < 40; ++i)
      d.f[i] = y[i];
  });
  test("views", [](Data &d) {
    std::vector<short> x(80);
    fill(x);
    views(x, d.i);
  });
  test("valarrays", [](Data &d) {
    std::valarray<double> x(d.d.data(), 80), y(80);
    valarrays(x, y);
    d.d.assign(std::begin(y), std::end(y));
  });
  test("rangeFor", [](Data &d) { rangeFor(d.f); });
  test("rangeSum", [](Data &d) { d.sum = rangeSum(d.d); });
  test("rangeInside", [](Data &d) { rangeInside(9, d.f, d.g.data()); });
  test("rangeArray", [](Data &d) {
    float y[80];
    fill(y);
    rangeArray(y, 9);
    d.f.assign(y, y + 80);
  });
  test("iterators", [](Data &d) { iterators(d.i); });
  test("table", [](Data &d) { table(d.f, d.i, d.g); });
  test("narrowed", [](Data &d) {
    std::vector<unsigned long> index(9);
    fill(index);
    narrowed(index, d.f, d.g.data(), 5);
  });
}
