// The text that a region becomes: reference, constants, functions.
#include "Source.h"

#include <gmock/gmock.h>

using namespace autokernel;
using namespace autokernel::test;
using ::testing::HasSubstr;
using ::testing::Not;

namespace {

std::string textOf(const Node &node) {
  std::string out = node.text + "\n";
  for (const Node &child : node.body)
    out += textOf(child);
  for (const Node &child : node.otherwise)
    out += textOf(child);
  return out;
}

TEST(Text, ScopedConstantsGetANameOfTheirOwn) {
  for (const char *text :
       {"namespace q { constexpr int N = 4; } void f(int *y, int n) { "
        "[[autokernel]] for (int i = 0; i < n; ++i) y[i] = q::N; }",
        "enum class q { N = 4 }; void f(int *y, int n) { [[autokernel]] for "
        "(int i = 0; i < n; ++i) y[i] = int(q::N); }",
        "struct q { static constexpr int N = 4; }; void f(int *y, int n) { "
        "[[autokernel]] for (int i = 0; i < n; ++i) y[i] = q::N; }"}) {
    Analysed a = analyseCpp(text);
    EXPECT_THAT(a.model().reference, Not(HasSubstr("q::N")));
    EXPECT_THAT(a.model().reference, HasSubstr("autokernel_q_N = 4"));
    EXPECT_THAT(a.model().deviceSupport, HasSubstr("autokernel_q_N = 4"));
    EXPECT_THAT(textOf(a.model().root), HasSubstr("autokernel_q_N"));
  }
}

TEST(Text, ScopedVariablesAreParameters) {
  Analysed a = analyseCpp(R"(
    namespace q { float scale; }
    void f(float *y, int n) {
      [[autokernel]] for (int i = 0; i < n; ++i) y[i] = q::scale;
    })");
  EXPECT_EQ(a.param("scale").argument, "::q::scale");
  EXPECT_THAT(a.model().reference, HasSubstr("y[i] = scale;"));
  Analysed both = analyseCpp(R"(
    float a;
    void f(float *y, int n, float a) {
      [[autokernel]] for (int i = 0; i < n; ++i) y[i] = a * ::a;
    })");
  EXPECT_EQ(both.refusedAs(), "reserved-name");
}

TEST(Text, ScopedTypesAreSpelledOut) {
  Analysed a = analyseCpp(R"(
    #include <cstddef>
    namespace q { typedef float real; typedef int count; }
    static q::real twice(q::real v) { q::real r = v; return 2 * r; }
    void f(float *y, int n) {
      [[autokernel]] for (std::size_t i = 0; i < 8; ++i) { q::real t = twice(y[i]); y[i] = t * (q::count)t; }
    })");
  EXPECT_THAT(a.model().reference, Not(HasSubstr("q::")));
  EXPECT_THAT(a.model().reference, HasSubstr("float t = twice(y[i]);"));
  EXPECT_THAT(a.model().reference, HasSubstr("(int)t"));
  EXPECT_THAT(a.model().deviceSupport, HasSubstr("float r = v;"));
}

TEST(Text, InfiniteConstants) {
  Analysed a = analyseCpp(R"(
    void f(float *y, double *z, int n) {
      constexpr float Big = __builtin_inff();
      constexpr double Small = -__builtin_inf();
      [[autokernel]] for (int i = 0; i < n; ++i) { y[i] = Big; z[i] = Small; }
    })");
  EXPECT_THAT(a.model().reference, HasSubstr("Big = INFINITY;"));
  EXPECT_THAT(a.model().deviceSupport, HasSubstr("Small = -INFINITY;"));
}

TEST(Text, AbsOfAFloatInC) {
  Analysed a = analyseC(R"(
    #include <stdlib.h>
    void f(int *y, const float *x, int n) {
      [[autokernel]] for (int i = 0; i < n; ++i) y[i] = abs(x[i]) + abs(i);
    })");
  EXPECT_THAT(textOf(a.model().root), HasSubstr("abs((int)(x[i]))"));
  EXPECT_THAT(textOf(a.model().root), HasSubstr("abs(i)"));
}

TEST(Text, ConstantSizesOfLocalArraysInC) {
  Analysed a = analyseC(R"(
    void f(float *y, const float *x, int n) {
      const int N = 8;
      [[autokernel]] for (int i = 0; i < n; ++i) {
        float r[N];
        for (int j = 0; j < N; ++j) r[j] = x[i * N + j];
        for (int j = 0; j < N; ++j) y[i * N + j] = r[N - 1 - j];
      }
    })");
  EXPECT_THAT(a.model().deviceSupport, HasSubstr("N = 8"));
  EXPECT_EQ(a.contract().param("N"), nullptr);
  EXPECT_EQ(a.loop("i").order, Order::Proved);
}

TEST(Text, FunctionsAreCopiedCalleesFirst) {
  Analysed a = analyseCpp(R"(
    #include <cmath>
    namespace q { constexpr float Half = 0.5f; }
    static float square(float v) { return v * v; }
    inline double norm(float a, float b) {
      float s = square(a) + square(b);
      for (int r = 0; r < 2; ++r) s *= q::Half;
      return std::sqrt(double(s));
    }
    void f(float *y, const float *x, int n) {
      [[autokernel]] for (int i = 0; i < n; ++i) y[i] = norm(x[i], square(x[i]));
    })");
  const std::string &device = a.model().deviceSupport;
  size_t square = device.find("__device__ float square_device(float v)");
  size_t norm = device.find("__device__ double norm_device(float a, float b)");
  ASSERT_NE(square, std::string::npos);
  ASSERT_NE(norm, std::string::npos);
  EXPECT_LT(square, norm);
  EXPECT_THAT(device, HasSubstr("square_device(a) + square_device(b)"));
  EXPECT_THAT(device, HasSubstr("return sqrt(double(s));"));
  EXPECT_THAT(device, HasSubstr("autokernel_q_Half"));
  EXPECT_THAT(textOf(a.model().root),
              HasSubstr("norm_device(x[i], square_device(x[i]))"));
  EXPECT_THAT(a.model().reference, HasSubstr("static float square(float v)"));
  EXPECT_THAT(a.model().reference, HasSubstr("norm(x[i], square(x[i]))"));
}

TEST(Text, FunctionsThatAreNotSimpleAreRefused) {
  for (const char *function : {
           "static float g(float v) { static float k; return k += v; }",
           "static float g(float v) { return v > 1 ? g(v - 1) : v; }",
           "float h(float); static float k(float v) { return h(v); } static "
           "float g(float v) { return k(v); }",
           "static float g(float v) { again: v -= 1; if (v > 1) goto again; "
           "return v; }",
           "static float g(float v) { asm(\"\"); return v; }",
       }) {
    std::string id =
        analyseCpp(std::string(function) +
                   " void f(float *y, int n) { [[autokernel]] for (int i = 0; "
                   "i < n; ++i) y[i] = g(y[i]); }")
            .refusedAs();
    EXPECT_TRUE(id == "call-unsupported" || id == "call-without-body")
        << function << ": " << id;
  }
}

TEST(Text, OtherFunctionsAreWrittenOut) {
  auto refusedAs = [](const std::string &function) {
    return analyseCpp(function +
                      " void f(float *y, int n) { [[autokernel]] for (int i = "
                      "0; i < n; ++i) y[i] = g(y[i]); }")
        .refusedAs();
  };
  EXPECT_EQ(refusedAs("static float g(const float &v) { return v; }"), "");
  EXPECT_EQ(refusedAs("template <class T> T g(T v) { return v; }"), "");
  // What they do is judged as if the region did it.
  EXPECT_EQ(refusedAs("float s; static float g(float v) { return s += v; }"),
            "carried-dependence");
  EXPECT_EQ(refusedAs("static float g(float v) { float *p = &v; return *p; }"),
            "pointer-escapes");
  EXPECT_EQ(refusedAs("struct V { float v; }; static float g(float v) { V "
                      "w{v}; return w.v; }"),
            "unsupported-expression");
}

TEST(Text, FunctionsInC) {
  Analysed a = analyseC(R"(
    #include <math.h>
    static inline double half(float v) { _Bool big = v > 1; return big ? fabs(v) : 0.5; }
    void f(double *y, const float *x, int n) {
      [[autokernel]] for (int i = 0; i < n; ++i) y[i] = half(x[i]);
    })");
  EXPECT_THAT(a.model().deviceSupport, HasSubstr("bool big = v > 1;"));
  EXPECT_THAT(a.model().deviceSupport, HasSubstr("fabs((double)(v))"));
}

} // namespace
