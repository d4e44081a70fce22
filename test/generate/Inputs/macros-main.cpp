#include REWRITTEN
#include "compare.h"
#include <vector>

struct Data {
  std::vector<float> x = std::vector<float>(20), y = std::vector<float>(20);
  std::vector<int> k = std::vector<int>(20);
  std::vector<Colour> c;
  std::vector<Shape> s;
  bool operator==(const Data &) const = default;
};

static Data data() {
  Data d;
  fill(d.x);
  fill(d.y);
  fill(d.k);
  for (int i = 0; i < 20; ++i) {
    d.c.push_back(Colour(i % 3));
    d.s.push_back(Shape(3 + i % 2));
    d.k[i] %= 3;
  }
  return d;
}

int main() {
  same("whole", data, [](Data &d) { whole(d.y.data(), 20); });
  same("header", data, [](Data &d) { header(d.y.data(), d.x.data(), 20); });
  same("body", data, [](Data &d) { body(d.y.data(), d.x.data(), 20); });
  same("colours", data,
       [](Data &d) { colours(d.c.data(), d.s.data(), d.k.data(), 20); });
}
