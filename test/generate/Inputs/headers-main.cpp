#include REWRITTEN
#include "compare.h"
#include <vector>

struct Data {
  std::vector<float> a = std::vector<float>(20);
  std::vector<double> b = std::vector<double>(20);
  bool operator==(const Data &o) const { return a == o.a && b == o.b; }
};

static Data data() {
  Data d;
  fill(d.a);
  fill(d.b);
  return d;
}

int main() {
  same("own", data, [](Data &d) { own(20, d.a.data()); });
  same("scale", data, [](Data &d) { scale(20, d.a.data()); });
  same("relax", data, [](Data &d) { relax(10, d.a.data(), d.a.data() + 10); });
  same("square", data, [](Data &d) { Field{20, d.b.data()}.square(); });
}
