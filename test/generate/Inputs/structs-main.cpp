#include REWRITTEN
#include "compare.h"

struct Data {
  std::vector<Particle> p = std::vector<Particle>(7);
  float e = 0;
  bool operator==(const Data &o) const {
    return !std::memcmp(p.data(), o.p.data(), 7 * sizeof(Particle)) && e == o.e;
  }
};

static Data data() {
  Data d;
  for (Particle &p : d.p) {
    float v[10];
    fill(v);
    std::memcpy(&p, v, sizeof p);
  }
  return d;
}

int main() {
  std::vector<std::array<double, 3>> f(7);
  Vec forces[7];
  for (int i = 0; i < 7; ++i) {
    fill(f[i]);
    forces[i] = {i + 1.f, i + 2.f, i + 3.f};
  }
  same("drift", data, [](Data &d) { drift(d.p.data(), 7, 2); });
  same("containers", data, [&](Data &d) { containers(d.p, f, 2); });
  same("references", data, [&](Data &d) { references(d.p, forces, 2); });
  same("range", data, [](Data &d) { range(d.p, 2); });
  same("energy", data, [](Data &d) { d.e = energy(d.p); });
}
