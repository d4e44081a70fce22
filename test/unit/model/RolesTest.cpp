// Parameters of the contract: order, types, roles, what they are used for.
#include "Source.h"

#include <gmock/gmock.h>

using namespace autokernel;
using namespace autokernel::test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

std::vector<std::string> names(const Contract &c) {
  std::vector<std::string> out;
  for (const Param &p : c.params)
    out.push_back(p.name);
  return out;
}

TEST(Roles, OrderIsThatOfTheDeclarations) {
  Analysed a = analyseCpp(R"(
    float scale;
    void f(int n, const float *x, float *y) {
      float b = 2;
      [[autokernel]] for (int i = 0; i < n; ++i) y[i] = scale * x[i] + b;
    })");
  EXPECT_THAT(names(a.contract()), ElementsAre("scale", "n", "x", "y", "b"));
}

TEST(Roles, ArraysInOutInOut) {
  Analysed a = analyseCpp(R"(
    void f(float *in, float *out, float *both, float *sum, int n) {
      [[autokernel]] for (int i = 0; i < n; ++i) {
        out[i] = in[i] + both[i];
        both[i] = in[i];
        sum[i] += in[i];
      }
    })");
  EXPECT_EQ(a.param("in").role, Role::In);
  EXPECT_EQ(a.param("out").role, Role::Out);
  EXPECT_EQ(a.param("both").role, Role::InOut);
  EXPECT_EQ(a.param("sum").role, Role::InOut);
  EXPECT_TRUE(a.param("sum").isArray);
  EXPECT_TRUE(a.param("n").sizeLike);
}

TEST(Roles, ElementTypes) {
  Analysed a = analyseCpp(R"(
    typedef unsigned short half_bits;
    void f(double *d, half_bits *h, const bool *b, signed char *c, long long *l, unsigned n) {
      [[autokernel]] for (unsigned i = 0; i < n; ++i) {
        d[i] = h[i]; c[i] = b[i]; l[i] = i;
      }
    })");
  EXPECT_EQ(a.param("d").type, (ElementType{ElementType::Float, 64, "double"}));
  EXPECT_EQ(a.param("h").type,
            (ElementType{ElementType::UInt, 16, "unsigned short"}));
  EXPECT_EQ(a.param("b").type.kind, ElementType::Bool);
  EXPECT_EQ(a.param("c").type,
            (ElementType{ElementType::Int, 8, "signed char"}));
  EXPECT_EQ(a.param("l").type.bits, 64u);
  EXPECT_EQ(a.param("n").type.kind, ElementType::UInt);
}

TEST(Roles, ScalarResults) {
  Analysed a = analyseCpp(R"(
    float f(const float *x, int n) {
      float s = 0;
      int count = 0;
      [[autokernel]] for (int i = 0; i < n; ++i) {
        s += x[i];
        if (x[i] > 0)
          count += 1;
      }
      return s + count;
    })");
  EXPECT_EQ(a.param("s").role, Role::InOut);
  EXPECT_EQ(a.param("count").role, Role::InOut);
  EXPECT_EQ(a.param("n").role, Role::In);
  EXPECT_THAT(a.model().reference, HasSubstr("float *autokernel_out_s"));
}

TEST(Roles, IndexArraysAndNull) {
  Analysed a = analyseCpp(R"(
    void f(float *y, const float *x, const int *map, const float *bias, int n) {
      [[autokernel]] for (int i = 0; i < n; ++i)
        y[i] = x[map[i]] + (bias ? bias[i] : 0.0f);
    })");
  EXPECT_TRUE(a.param("map").indexLike);
  EXPECT_FALSE(a.param("x").indexLike);
  EXPECT_TRUE(a.param("bias").nullable);
  EXPECT_FALSE(a.param("y").nullable);
}

TEST(Roles, ConstantsAreNoParameters) {
  Analysed a = analyseCpp(R"(
    enum { Rows = 4 };
    constexpr float Scale = 0.1f;
    static const int Width = 16;
    void f(float *y) {
      [[autokernel]] for (int i = 0; i < Rows * Width; ++i) y[i] = Scale;
    })");
  EXPECT_THAT(names(a.contract()), ElementsAre("y"));
  EXPECT_THAT(a.model().deviceSupport, HasSubstr("Scale = 0.1"));
  EXPECT_THAT(a.model().deviceSupport, HasSubstr("Rows = 4"));
}

TEST(Roles, ArraysOfArrays) {
  Analysed a = analyseCpp(R"(
    void f(float (*a)[40], const float b[8][40], int n) {
      [[autokernel]] for (int i = 0; i < n; ++i)
        for (int j = 0; j < 40; ++j)
          a[i][j] = b[i][j];
    })");
  EXPECT_EQ(a.param("a").declaration, "float (*a)[40]");
  EXPECT_EQ(a.param("b").declaration, "const float (*b)[40]");
  EXPECT_EQ(a.param("a").role, Role::Out);
  EXPECT_EQ(a.loop("i").order, Order::Proved);
}

TEST(Roles, ExtentsFromTheClause) {
  Analysed a = analyseCpp(R"(
    void f(float *y, const float *x, const int *next, int n, int m) {
      [[autokernel("chase", x[n * m], next[n])]] for (int i = 0; i < n; ++i) {
        int k = i;
        while (next[k] > k)
          k = next[k];
        y[i] = x[k] * m;
      }
    })");
  EXPECT_EQ(a.contract().id, "chase");
  ASSERT_TRUE(a.param("x").extent);
  EXPECT_EQ(a.param("x").extent->text, "n * m");
  EXPECT_FALSE(a.param("y").extent);
}

TEST(Roles, ClausesReachTheContract) {
  Analysed a = analyseCpp(R"(
    void f(float *y, int n) {
      [[autokernel, autokernel_tolerance(1e-4), autokernel_assume(n > 0, n % 4 == 0)]]
      for (int i = 0; i < n; ++i) y[i] = 1;
    })");
  ASSERT_TRUE(a.contract().tolerance.relative);
  EXPECT_DOUBLE_EQ(*a.contract().tolerance.relative, 1e-4);
  EXPECT_GE(a.contract().assumptions.size(), 3u); // an equality is two
  Analysed exact = analyseCpp(R"(
    void f(float *y, int n) {
      [[autokernel, autokernel_exact]] for (int i = 0; i < n; ++i) y[i] = 1;
    })");
  EXPECT_TRUE(exact.contract().tolerance.exact);
  EXPECT_FALSE(exact.contract().floats.reassociate);
}

TEST(Roles, FloatingPointFlags) {
  const char *text = "void f(float *y, int n) { [[autokernel]] for (int i = 0; "
                     "i < n; ++i) y[i] = y[i] * 2 + 1; }";
  EXPECT_TRUE(analyseCpp(text, {"-ffast-math"}).contract().floats.fastMath);
  EXPECT_TRUE(analyseCpp(text, {"-Ofast"}).contract().floats.fastMath);
  EXPECT_EQ(analyseCpp(text, {"-ffp-contract=off"}).contract().floats.contract,
            "off");
  EXPECT_FALSE(analyseCpp(text).contract().floats.fastMath);
}

std::string fingerprint(const std::string &loop) {
  return analyseCpp("void f(float *y, int n, float a) { " + loop + " }")
      .contract()
      .fingerprint;
}

TEST(Fingerprint, LayoutAndCommentsDoNotCount) {
  std::string base =
      fingerprint("[[autokernel]] for (int i = 0; i < n; ++i) y[i] = a;");
  EXPECT_EQ(base.size(), 32u);
  EXPECT_EQ(base, fingerprint("[[autokernel]] for (int i = 0;  i < n; ++i)\n"
                              "  y[i] /* here */ = a; // done\n"));
  EXPECT_NE(base, fingerprint(
                      "[[autokernel]] for (int i = 0; i <= n; ++i) y[i] = a;"));
  EXPECT_NE(base, fingerprint("[[autokernel, autokernel_exact]] for (int i = "
                              "0; i < n; ++i) y[i] = a;"));
}

TEST(Fingerprint, ConstantsCount) {
  auto with = [](const char *value) {
    return analyseCpp(std::string("constexpr int K = ") + value +
                      "; void f(int *y, int n) { [[autokernel]] for (int i = "
                      "0; i < n; ++i) y[i] = K; }")
        .contract()
        .fingerprint;
  };
  EXPECT_EQ(with("3"), with("2 + 1"));
  EXPECT_NE(with("3"), with("4"));
}

} // namespace
