// What integer values are worth that may wrap, change or alias.
#include "Source.h"

using namespace autokernel;
using namespace autokernel::test;

namespace {

/// `body` with unsigned u, v and size_t z beside the usual ones.
Analysed region(const std::string &body) {
  return analyseCpp(
      "#include <cstddef>\nvoid f(float *y, const float *x, const "
      "int *k, const signed char *b, int n, int m, unsigned u, "
      "unsigned v, size_t z, long l) {\n" +
      body + "\n}\n");
}

size_t guards(const std::string &body) {
  return region(body).contract().guards.size();
}

TEST(Values, OrdinaryUnsignedLoopsNeedNoGuard) {
  EXPECT_EQ(guards("[[autokernel]] for (unsigned i = 0; i < u; ++i) y[i] = "
                   "x[i];"),
            0u);
  EXPECT_EQ(guards("[[autokernel]] for (unsigned i = 1; i < u; ++i) y[i] = x[i "
                   "- 1u];"),
            0u);
  EXPECT_EQ(guards("[[autokernel]] for (size_t i = 0; i < z; ++i) y[i] = x[i + "
                   "1];"),
            0u);
  EXPECT_EQ(guards("[[autokernel]] for (size_t i = 1; i < z; ++i) y[i] = x[i - "
                   "1];"),
            0u);
  EXPECT_EQ(guards("[[autokernel]] for (unsigned i = 0; i < u; ++i) if (i > 0) "
                   "y[i] = x[i - 1];"),
            0u);
}

TEST(Values, ArithmeticThatMayWrapIsGuarded) {
  // All even i write y[0].
  EXPECT_GE(guards("[[autokernel]] for (unsigned i = 0; i < u; ++i) y[i * "
                   "0x80000000u] = x[i];"),
            1u);
  // Always y[0].
  EXPECT_GE(guards("[[autokernel]] for (long i = 0; i < l; ++i) "
                   "y[(unsigned)(i * 4294967296L)] = x[i];"),
            1u);
  EXPECT_GE(guards("[[autokernel]] for (unsigned i = 0; i < u; ++i) for "
                   "(unsigned j = 0; j < v; ++j) y[i * v + j] = x[j];"),
            1u);
  EXPECT_GE(guards("[[autokernel]] for (unsigned i = 0; i < u - 1; ++i) y[i] = "
                   "x[i];"),
            1u);
  EXPECT_GE(guards("[[autokernel]] for (size_t i = 0; i < z - 1; ++i) y[i] = "
                   "x[i];"),
            1u);
}

TEST(Values, ComparisonsBetweenSignedAndUnsignedAreGuarded) {
  EXPECT_GE(guards("[[autokernel]] for (unsigned i = 0; i < n; ++i) y[i] = 0;"),
            1u); // n may be negative
  EXPECT_GE(guards("[[autokernel]] for (int i = n; i < u; ++i) y[i] = 0;"), 1u);
  EXPECT_EQ(guards("[[autokernel]] for (int i = 0; i < u; ++i) y[i] = 0;"), 0u);
}

TEST(Values, NarrowCastsAreOpaque) {
  Analysed a = region("[[autokernel]] for (int i = 0; i < n; ++i) y[i] = "
                      "x[(unsigned char)b[i]];");
  EXPECT_EQ(a.refusedAs(), "");
  EXPECT_EQ(a.contract().guards.size(), 0u);
  EXPECT_EQ(region("[[autokernel]] for (int i = 0; i < n; ++i) y[(unsigned "
                   "char)i] = x[i];")
                .refusedAs(),
            "carried-dependence");
}

/// Conditions noted for the accesses of y.
size_t conditions(const Analysed &a) {
  size_t count = 0;
  for (const Access &access : a.contract().accesses)
    if (access.array == "y")
      count += access.conditions.size();
  return count;
}

TEST(Values, UnsignedTestsOfSignedValues) {
  // i = 0 reaches y[i] while m - (i - 1) - 1 >= 0.
  EXPECT_EQ(conditions(region("[[autokernel]] for (int i = 0; i < n; ++i) if "
                              "((unsigned)(i - 1) < (unsigned)m) {} else y[i] "
                              "= 1;")),
            0u);
  // 0 <= i - 1 < m
  EXPECT_EQ(conditions(region("[[autokernel]] for (int i = 0; i < n; ++i) if "
                              "((unsigned)(i - 1) < (unsigned)m) y[i - 1] = "
                              "1;")),
            2u);
}

TEST(Values, ConditionsOnDataThatTheRegionWrites) {
  Analysed a = analyseCpp(R"(
    void f(int *flag, float *y, int n) {
      [[autokernel]] for (int i = 0; i < n; ++i) {
        flag[i] = 1;
        if (flag[i] > 0)
          y[i] = 1;
      }
    })");
  EXPECT_EQ(conditions(a), 0u);
}

TEST(Values, ContinueBeforeACaseLabel) {
  EXPECT_EQ(conditions(region(R"(
      [[autokernel]] for (int i = 0; i < n; ++i) {
        switch (m) {
        case 0:
          if (i >= 5)
            continue;
        case 1:
          y[i] = 1;
        }
      })")),
            0u);
}

TEST(Values, ReferencesThatMayBeElementsAreArrays) {
  Analysed a = analyseCpp(R"(
    void f(const float &a, float *y, int n) {
      [[autokernel]] for (int i = 0; i < n; ++i) y[i] = a * y[i];
    })");
  EXPECT_TRUE(a.param("a").isArray);
  EXPECT_EQ(a.param("a").argument, "&a");
  EXPECT_NE(a.model().reference.find("const float &a = *autokernel_at_a;"),
            std::string::npos);
}

// What the region assigns is a result: each call compares its address with the
// arrays'.
TEST(Values, AssignedReferencesAreScalars) {
  Analysed sum = analyseCpp(R"(
    void f(float &s, const float *x, int n) {
      [[autokernel]] for (int i = 0; i < n; ++i) s += x[i];
    })");
  EXPECT_FALSE(sum.param("s").isArray);
  EXPECT_EQ(sum.param("s").role, Role::InOut);
  EXPECT_EQ(sum.loop("i").reductions.size(), 1u);
}

TEST(Values, OtherReferencesAreScalars) {
  Analysed a = analyseCpp(R"(
    void f(const int &n, double &s, const float &a, float b, const float *x) {
      [[autokernel]] for (int i = 0; i < n; ++i) s += a * b * x[i];
    })");
  EXPECT_FALSE(a.param("n").isArray);
  EXPECT_FALSE(a.param("a").isArray);
  EXPECT_FALSE(a.param("s").isArray);
  EXPECT_EQ(a.param("s").role, Role::InOut);
  EXPECT_EQ(a.loop("i").reductions.size(), 1u);
}

} // namespace
