// Which regions a source has, their names, and what becomes of misplaced
// attributes.
#include "Source.h"

#include <gmock/gmock.h>

using namespace autokernel;
using namespace autokernel::test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

TEST(Scan, NothingAnnotated) {
  Analysed a = analyseCpp("void f(float *y) { y[0] = 1; }");
  EXPECT_TRUE(a.unit.regions.empty());
  EXPECT_TRUE(a.unit.misuses.empty());
}

TEST(Scan, NamesComeFromTheClauseElseTheFunction) {
  Analysed a = analyseCpp(R"(
    void plain(float *y, int n) {
      [[autokernel]] for (int i = 0; i < n; ++i) y[i] = 1;
      [[autokernel]] for (int i = 0; i < n; ++i) y[i] = 2;
    }
    void g(float *y, int n) {
      [[autokernel(saxpy)]] for (int i = 0; i < n; ++i) y[i] = 3;
      [[autokernel("row sums")]] for (int i = 0; i < n; ++i) y[i] = 4;
      [[autokernel("2d")]] for (int i = 0; i < n; ++i) y[i] = 5;
    })");
  EXPECT_THAT(a.ids(),
              ElementsAre("plain", "plain_2", "saxpy", "row_sums", "k2d"));
  EXPECT_EQ(a.unit.regions[2].region.function, "g");
}

TEST(Scan, PlacesAreOfTheStatement) {
  Analysed a = analyseCpp("void f(float *y, int n) {\n"
                          "  [[autokernel]]\n"
                          "  for (int i = 0; i < n; ++i) y[i] = 1;\n"
                          "}\n");
  ASSERT_EQ(a.unit.regions.size(), 1u);
  const Region &r = a.unit.regions[0].region;
  EXPECT_EQ(r.place.line, 3u);
  EXPECT_EQ(r.place.column, 3u);
  EXPECT_EQ(r.attribute.line, 2u);
  EXPECT_EQ(r.end - r.begin,
            std::string("for (int i = 0; i < n; ++i) y[i] = 1").size());
  EXPECT_EQ(r.attributeEnd - r.attributeBegin,
            std::string("[[autokernel]]").size());
}

TEST(Scan, LineDirectivesCount) {
  Analysed a =
      analyseCpp("#line 100 \"layers.dsl\"\n"
                 "void f(float *y, int n) {\n"
                 "  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = 1;\n"
                 "}\n");
  ASSERT_EQ(a.unit.regions.size(), 1u);
  EXPECT_EQ(a.unit.regions[0].region.place.file, "layers.dsl");
  EXPECT_EQ(a.unit.regions[0].region.place.line, 101u);
}

TEST(Scan, FunctionsAndBlocksAreRegions) {
  Analysed a = analyseCpp(R"(
    [[autokernel]] void whole(float *y, int n) {
      for (int i = 0; i < n; ++i) y[i] = 1;
    }
    void f(float *y, int n) {
      [[autokernel]] {
        for (int i = 0; i < n; ++i) y[i] = 1;
        for (int i = 0; i < n; ++i) y[i] += 1;
      }
    })");
  EXPECT_THAT(a.ids(), ElementsAre("whole", "f"));
  for (const AnalysedRegion &r : a.unit.regions)
    EXPECT_TRUE(r.model) << r.region.id;
}

TEST(Scan, CSourcesHaveTheAttributeToo) {
  Analysed a =
      analyseC("void f(float *y, int n) {\n"
               "  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = 1;\n"
               "}\n");
  EXPECT_TRUE(a.model().contract.isC);
  EXPECT_EQ(a.model().referenceFile, "f.reference.c");
  EXPECT_THAT(a.model().reference,
              HasSubstr("void autokernel_reference(float *y, int n)"));
}

TEST(Scan, AMacroThatWritesTheAttributeIsFine) {
  Analysed a = analyseCpp("#define AK [[autokernel]]\n"
                          "void f(float *y, int n) {\n"
                          "  AK for (int i = 0; i < n; ++i) y[i] = 1;\n"
                          "}\n");
  EXPECT_TRUE(a.unit.misuses.empty());
  EXPECT_EQ(a.model().region.attributeBegin, 0u);
  EXPECT_EQ(a.model().region.attributeEnd, 0u);
}

TEST(Scan, TheToolAnnouncesTheAttribute) {
  Analysed a = analyseCpp(R"(
    #if __has_cpp_attribute(autokernel)
    void f(float *y, int n) { [[autokernel]] for (int i = 0; i < n; ++i) y[i] = 1; }
    #endif
    )");
  EXPECT_EQ(a.unit.regions.size(), 1u);
}

TEST(Scan, MisplacedAttributesAreMisuses) {
  struct Case {
    const char *text, *message;
  };
  for (Case c : {
           Case{"void f(float *y, int n) { int i = 0; "
                "[[autokernel]] while (i < n) y[i++] = 1; }",
                "belongs on a 'for' loop"},
           Case{"void f(float *y) { [[autokernel]] y[0] = 1; }",
                "belongs on a 'for' loop"},
           Case{"void f() { [[autokernel]] int x = 1; (void)x; }",
                "belongs on a 'for' loop"},
           Case{"[[autokernel]] int global;", "belongs on a 'for' loop"},
           Case{"struct [[autokernel]] S {};", ""},
           Case{"void f(float *y, int n) { [[autokernel_exact]] "
                "for (int i = 0; i < n; ++i) y[i] = 1; }",
                "means nothing without"},
       }) {
    Analysed a = analyseCpp(c.text);
    EXPECT_EQ(a.error, "") << c.text;
    ASSERT_GE(a.unit.misuses.size(), 1u) << c.text;
    EXPECT_EQ(a.unit.misuses[0].id, "attribute-misuse");
    EXPECT_THAT(a.unit.misuses[0].message, HasSubstr(c.message)) << c.text;
    EXPECT_TRUE(a.unit.regions.empty()) << c.text;
  }
}

TEST(Scan, WhatClangWouldDropIsReported) {
  struct Case {
    const char *before, *message;
  };
  for (Case c : {
           Case{"[[autokernel, autokernel_tolerence(1e-3)]]",
                "no clause 'autokernel_tolerence'"},
           Case{"[[autokernl]]", "no clause 'autokernl'"},
           Case{"[[AutoKernel]]", "no clause 'AutoKernel'"},
           Case{"__attribute__((autokernel))", "[[autokernel]]"},
           Case{"[[gnu::autokernel]]", "without a scope"},
           Case{"[[autokernel::exact]]", "without a scope"},
           Case{"[[autokernel]] [[clang::autokernel_exact]]",
                "without a scope"},
       }) {
    Analysed a =
        analyseCpp("void f(float *y, int n) { " + std::string(c.before) +
                   " for (int i = 0; i < n; ++i) y[i] = 1; }");
    EXPECT_EQ(a.error, "") << c.before;
    ASSERT_EQ(a.unit.misuses.size(), 1u) << c.before;
    EXPECT_THAT(a.unit.misuses[0].message, HasSubstr(c.message));
  }
}

TEST(Scan, OtherAttributesAreNobodysBusiness) {
  Analysed a = analyseCpp(R"(
    [[nodiscard, gnu::noinline]] int f(const int *x, int n) {
      __attribute__((aligned(16))) int s = 0;
      [[autokernel, autokernel_assume(n > 0)]] for (int i = 0; i < n; ++i) s += x[i];
      return s;
    })");
  EXPECT_TRUE(a.unit.misuses.empty());
  EXPECT_EQ(a.refusedAs(), "");
}

TEST(Scan, ADeclarationWithoutBodyIsAMisuse) {
  Analysed a = analyseCpp(R"(
    [[autokernel]] void f(float *y, int n);
    void f(float *y, int n) { for (int i = 0; i < n; ++i) y[i] = 1; })");
  ASSERT_EQ(a.unit.misuses.size(), 1u);
  EXPECT_THAT(a.unit.misuses[0].message, HasSubstr("has no body"));
}

TEST(Scan, ARegionInsideARegionIsAMisuse) {
  Analysed a = analyseCpp(R"(
    void f(float *y, int n, int m) {
      [[autokernel]] for (int i = 0; i < n; ++i)
        [[autokernel]] for (int j = 0; j < m; ++j) y[i * m + j] = 1;
    })");
  ASSERT_EQ(a.unit.misuses.size(), 1u);
  EXPECT_THAT(a.unit.misuses[0].message, HasSubstr("inside another one"));
  EXPECT_THAT(a.ids(), ElementsAre("f"));
}

TEST(Scan, NumberedNamesStayClearOfGivenOnes) {
  Analysed a = analyseCpp(R"(
    [[autokernel]] void f(float *y, int n) { for (int i = 0; i < n; ++i) y[i] = 1; }
    [[autokernel]] void f(double *y, int n) { for (int i = 0; i < n; ++i) y[i] = 1; }
    [[autokernel(f_2)]] void g(float *y, int n) { for (int i = 0; i < n; ++i) y[i] = 1; }
    [[autokernel(f_2)]] void h(float *y, int n) { for (int i = 0; i < n; ++i) y[i] = 1; })");
  EXPECT_THAT(a.ids(), ElementsAre("f", "f_3", "f_2", "f_2_2"));
}

TEST(Scan, LoopsMayEndInAMacro) {
  Analysed a = analyseCpp(R"(
    #define N 8
    #define TWICE(e) ((e) * 2)
    void f(int *y, int n) { [[autokernel]] for (int i = 0; i < n; ++i) y[i] = N; }
    void g(int *y, int n) { [[autokernel]] for (int i = 0; i < n; ++i) y[i] = TWICE(i); })");
  ASSERT_EQ(a.unit.regions.size(), 2u);
  for (const AnalysedRegion &r : a.unit.regions)
    EXPECT_TRUE(r.model) << r.region.id;
  const Region &r = a.unit.regions[1].region;
  EXPECT_EQ(r.end - r.begin,
            std::string("for (int i = 0; i < n; ++i) y[i] = TWICE(i)").size());
}

TEST(Scan, SourcesThatDoNotCompileAreErrors) {
  Analysed a = analyseCpp("void f() { [[autokernel]] for (;; { }");
  EXPECT_THAT(a.error, HasSubstr("doesn't compile"));
}

TEST(Scan, ForeignFlagsAreDropped) {
  Analysed a = analyseCpp(
      "void f(float *y, int n) { [[autokernel]] for (int i = 0; i < n; ++i) "
      "y[i] = N; }",
      {"-std=c++17", "-fno-gcse", "-Werror", "-Wall", "-DN=3", "-o", "x.o",
       "-MD", "-MF", "x.d", "-mtune=native"});
  EXPECT_EQ(a.error, "");
  EXPECT_EQ(a.unit.regions.size(), 1u);
}

TEST(Scan, DependenciesNameTheSource) {
  Analysed a = analyseCpp("#include <cstddef>\nvoid f() {}\n");
  bool header = false, source = false;
  for (const std::string &file : a.unit.dependencies) {
    header |= file.find("cstddef") != std::string::npos;
    source |= file.find("unit.cpp") != std::string::npos;
  }
  EXPECT_TRUE(header);
  EXPECT_TRUE(source);
}

} // namespace
