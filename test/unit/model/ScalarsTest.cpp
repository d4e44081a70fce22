// Scalars of the surrounding function: private, carried out, last counters.
#include "Source.h"

#include <gmock/gmock.h>

using namespace autokernel;
using namespace autokernel::test;

namespace {

bool isPrivate(const Model &m, const std::string &name) {
  for (const Node::Local &l : m.privates)
    if (l.name == name)
      return true;
  return false;
}

/// Whether `t`, which each iteration sets first, is a local of the kernel.
bool privateWith(const std::string &before, const std::string &after) {
  Analysed a = analyseCpp(
      "void use(float); float f(float *y, const float *x, int n, bool c) {\n"
      "  float t = 0;\n" +
      before +
      "  [[autokernel]] for (int i = 0; i < n; ++i) { t = x[i]; y[i] = t * t; "
      "}\n" +
      after + "}\n");
  if (a.refusedAs() != "")
    return false;
  return isPrivate(a.model(), "t");
}

TEST(Scalars, PrivateWhereNobodyReadsThemAfterwards) {
  EXPECT_TRUE(privateWith("", "return 0;"));
  EXPECT_TRUE(privateWith("t = 3; use(t);", "return 0;"));
  EXPECT_TRUE(privateWith("", "t = 1; return t;"));
}

TEST(Scalars, NotPrivateWhereTheyAreReadAfterwards) {
  EXPECT_FALSE(privateWith("", "return t;"));
  EXPECT_FALSE(privateWith("", "use(t); return 0;"));
  EXPECT_FALSE(privateWith("", "t += 1; return t;"));
  EXPECT_FALSE(
      privateWith("for (int r = 0; r < 3; ++r) { use(t);", "} return 0;"));
  EXPECT_FALSE(privateWith("while (c) { use(t);", "} return 0;"));
}

TEST(Scalars, NotPrivateWhereOneOfTheWaysReadsThem) {
  EXPECT_FALSE(privateWith("", "if (c) t = 0; return t;"));
  EXPECT_FALSE(privateWith("for (;;) {", "if (c) break; t = 0; } return t;"));
  EXPECT_FALSE(privateWith("for (;;) { use(t);",
                           "if (c) continue; t = 0; use(t); } return 0;"));
  EXPECT_FALSE(privateWith("again: ", "if (c) return t; goto again;"));
  EXPECT_TRUE(privateWith("if (c) {", "} else { use(t); } return 0;"));
  EXPECT_TRUE(privateWith("", "if (c) t = 0; else t = 1; return t;"));
}

TEST(Scalars, NotPrivateWhereSomethingElseMayReadThem) {
  EXPECT_FALSE(privateWith("float *p = &t;", "return *p;"));
  EXPECT_FALSE(privateWith("float &r = t;", "return r;"));
  EXPECT_FALSE(privateWith("auto g = [&] { return t; };", "return g();"));
  EXPECT_FALSE(privateWith("const int rounds[3] = {1, 2, 3}; float u = 0; for "
                           "(int r : rounds) { u += t * r;",
                           "} return u;"));
}

TEST(Scalars, NothingIsPrivateInALambda) {
  Analysed a = analyseCpp(R"(
    float f(float *y, const float *x, int n) {
      float t = 0;
      auto g = [&] {
        [[autokernel]] for (int i = 0; i < n; ++i) { t = x[i]; y[i] = t; }
      };
      g();
      return t;
    })");
  if (a.refusedAs() == "") {
    EXPECT_FALSE(isPrivate(a.model(), "t"));
  }
}

TEST(Scalars, NotPrivateWhereALoopMayNotSetThem) {
  Analysed a = analyseCpp(R"(
    void f(float *y, const float *x, int n, int m) {
      float t = 7;
      [[autokernel]] {
        for (int j = 0; j < m; ++j) t = x[j];
        for (int i = 0; i < n; ++i) y[i] = t;
      }
    })");
  if (a.refusedAs() == "") {
    EXPECT_FALSE(isPrivate(a.model(), "t"));
  }
}

TEST(Scalars, GlobalsAreNeverPrivate) {
  Analysed a = analyseCpp(R"(
    float t;
    void f(float *y, const float *x, int n) {
      [[autokernel]] for (int i = 0; i < n; ++i) { t = x[i]; y[i] = t; }
    })");
  EXPECT_FALSE(isPrivate(a.model(), "t"));
  EXPECT_EQ(a.param("t").role, Role::InOut);
  ASSERT_EQ(a.loop("i").selections.size(), 1u);
  EXPECT_EQ(a.loop("i").selections[0].key, "");
}

TEST(Scalars, CountersOfTheFunctionGetTheirLastValue) {
  Analysed a = analyseC(R"(
    int f(float *y, int n) {
      int i;
      [[autokernel]] for (i = 2; i < n; i += 3) y[i] = 0;
      return i;
    })");
  EXPECT_TRUE(isPrivate(a.model(), "i"));
  ASSERT_EQ(a.model().finalCounters.count("i"), 1u);
  EXPECT_TRUE(a.loop("i").counterOutside);
}

TEST(Scalars, TheLastLoopDecidesASharedCounter) {
  Analysed a = analyseC(R"(
    int f(float *y, float *z, int n, int m) {
      int i;
      [[autokernel]] {
        for (i = 0; i < n; ++i) y[i] = 0;
        for (i = 0; i < m; ++i) z[i] = 0;
      }
      return i;
    })");
  ASSERT_EQ(a.model().finalCounters.count("i"), 1u);
  EXPECT_NE(a.model().finalCounters.at("i").find("(m)"), std::string::npos);
}

TEST(Scalars, LastValuesThatCannotBeToldAreRefused) {
  for (const char *text : {
           "if (c) for (i = 0; i < n; ++i) y[i] = 0;",
           "for (i = 0; i < n; ++i) y[i] = 0; i = 3;",
           "for (i = 0; i < n; ++i) y[i] = 0; n = 3;",
           "for (i = 0; i < k[0]; ++i) y[i] = 0; for (int j = 0; j < n; ++j) "
           "k[j] = 1;",
       }) {
    Analysed a = analyseC("int f(float *y, int *k, int n, int c) { int i = 77; "
                          "[[autokernel]] { " +
                          std::string(text) + " } return i; }");
    EXPECT_EQ(a.refusedAs(), "live-out") << text;
  }
}

TEST(Scalars, ACounterUsedBehindItsLoopKeepsTheLoopInOrder) {
  Analysed a = analyseC(R"(
    void f(int *y, float *x, int n, int m) {
      int j;
      [[autokernel]] for (int i = 0; i < n; ++i) {
        for (j = 0; j < m; ++j) x[i * m + j] = 0;
        y[i] = j;
      }
    })");
  EXPECT_EQ(a.loop("i").order, Order::Proved);
  EXPECT_EQ(a.loop("j").order, Order::Sequential);
}

// The text is evaluated by the user's compiler; here by hand for all sizes.
TEST(Scalars, LastValueFormula) {
  for (int n = -3; n < 20; ++n)
    for (int step = 1; step < 5; ++step) {
      int i;
      for (i = 2; i < n; i += step)
        ;
      int last =
          (2) < (n) ? (2) + (((n) - (2) + (step)-1) / (step)) * (step) : (2);
      EXPECT_EQ(last, i) << n << " " << step;
      for (i = n; i >= 2; i -= step)
        ;
      last = (n) >= (2) ? (n) - (((n) - (2) + 1 + (step)-1) / (step)) * (step)
                        : (n);
      EXPECT_EQ(last, i) << n << " " << step;
    }
}

TEST(Scalars, InnerCountersThatLiveOnAreRefused) {
  Analysed a = analyseC(R"(
    int f(float *y, int n, int m) {
      int j = 0;
      [[autokernel]] for (int i = 0; i < n; ++i)
        for (j = 0; j < m; ++j) y[i * m + j] = 0;
      return j;
    })");
  EXPECT_EQ(a.refusedAs(), "live-out");
}

TEST(Scalars, InnerCountersOfTheFunctionMayBePrivate) {
  Analysed a = analyseC(R"(
    void f(float *y, int n, int m) {
      int i, j;
      [[autokernel]] for (i = 0; i < n; ++i)
        for (j = 0; j < m; ++j) y[i * m + j] = 0;
    })");
  EXPECT_TRUE(isPrivate(a.model(), "i"));
  EXPECT_TRUE(isPrivate(a.model(), "j"));
  EXPECT_EQ(a.loop("i").order, Order::Proved);
}

} // namespace
