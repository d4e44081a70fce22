// What is known to be wrong. Each function says what right would be; the test
// fails when it has become so: then it moves to the file of its subject.
#include "Source.h"

using namespace autokernel;
using namespace autokernel::test;

#define KNOWN_BUG(name)                                                        \
  static bool right##name();                                                   \
  TEST(KnownBugs, name) {                                                      \
    EXPECT_FALSE(right##name())                                                \
        << "fixed, it seems: move this test to the file of its subject";       \
  }                                                                            \
  static bool right##name()

namespace {

bool taken(const Analysed &a) {
  return a.error.empty() && a.unit.regions.size() == 1 &&
         a.unit.regions[0].model.has_value();
}

/// `a` may be an element of y, as with `f(&a, 1)`. References are guarded.
KNOWN_BUG(GlobalThatMayBeAnElement) {
  Analysed a = analyseCpp(R"(
    float a;
    void f(float *y, int n) {
      [[autokernel]] for (int i = 0; i < n; ++i) y[i] = a * y[i];
    })");
  return !taken(a) || a.param("a").isArray;
}

} // namespace
