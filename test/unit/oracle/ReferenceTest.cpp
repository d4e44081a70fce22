// What the reference compiler takes: languages, flags, errors.
#include "OracleFixture.h"
#include "verify/oracle/Frontend.h"
#include "llvm/ADT/StringExtras.h"

using namespace autokernel;
using namespace autokernel::test;

namespace {

TEST(Reference, KeepsMeaningDropsTheRest) {
  std::vector<std::string> Kept =
      keepArguments({"-std=gnu++20",
                     "-DN=4",
                     "-I",
                     "inc",
                     "-isystem",
                     "/sys",
                     "-O3",
                     "-ffast-math",
                     "-Werror",
                     "-Wall",
                     "-MD",
                     "-MF",
                     "x.d",
                     "-o",
                     "x.o",
                     "-c",
                     "x.cpp",
                     "-fno-tree-vectorize",
                     "-g",
                     "-fopenmp",
                     "-fconcepts-diagnostics-depth=2",
                     "-include-pch",
                     "a.pch",
                     "-fsanitize=address",
                     "-ffp-contract=off",
                     "-pedantic",
                     "-fmodules-ts",
                     "@a.modmap"});
  EXPECT_EQ(llvm::join(Kept, " "),
            "-std=gnu++20 -D N=4 -I inc -isystem /sys -ffast-math "
            "-fno-vectorize -ffp-contract=off");
  EXPECT_EQ(llvm::join(keepArguments({"-Ofast"}), " "), "-ffast-math");
}

TEST(Reference, DiagnosticsNameTheLine) {
  auto Object = compileReference({"int x = ;\n", "broken.cpp", {}});
  ASSERT_FALSE(bool(Object));
  EXPECT_NE(llvm::toString(Object.takeError()).find("broken.cpp:1:9: error"),
            std::string::npos);
}

TEST(Reference, MissingEntryIsAnError) {
  auto Object = compileReference({"int x;\n", "empty.c", {}});
  ASSERT_FALSE(bool(Object));
  EXPECT_NE(llvm::toString(Object.takeError()).find(ReferenceEntry),
            std::string::npos);
}

TEST(Reference, UnresolvedSymbolIsAnError) {
  auto Object =
      compileReference({"extern \"C\" void nowhere(); extern \"C\" void "
                        "autokernel_reference_call(void **) { nowhere(); }",
                        "a.cpp",
                        {}});
  ASSERT_TRUE(bool(Object));
  auto Loaded = Oracle::load(*Object);
  ASSERT_FALSE(bool(Loaded));
  EXPECT_NE(llvm::toString(Loaded.takeError()).find("nowhere"),
            std::string::npos);
}

TEST(Reference, CWithVariableLengthArrays) {
  const char *Text = R"(
#include <math.h>
static void smooth(int n, int m, double g[n][m], double r[n][m]) {
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      r[i][j] = 0.25 * (g[i - 1][j] + g[i + 1][j] + g[i][j - 1] + g[i][j + 1]);
}
void autokernel_reference_call(void **restrict a) {
  int n = *(int *)a[0], m = *(int *)a[1];
  smooth(n, m, *(void **)a[2], *(void **)a[3]);
})";
  auto O = build(Text, {"-std=c11"}, "reference.c");
  ASSERT_TRUE(O);
  int N = 5, M = 7;
  std::vector<double> G(35), R(35), Q(35);
  for (int I = 0; I < 35; ++I)
    G[I] = 0.1 * I * I;
  double *Pg = G.data(), *Pr = R.data(), *Pq = Q.data();
  call(O->native(ReferenceEntry), N, M, Pg, Pr);
  call(O->twin(ReferenceEntry), N, M, Pg, Pq);
  EXPECT_TRUE(judge(*O, R[9], R[9], Q[9]).accepted());
  EXPECT_FALSE(judge(*O, R[9] * (1 + 1e-12), R[9], Q[9]).accepted());
  EXPECT_FALSE(O->shadowOf(&Q[0], 8).Known); // border, not written
}

TEST(Reference, TemplatesStaticsAndIntegers) {
  const char *Text = R"(
#include <array>
#include <cmath>
#include <vector>
template <class T> struct Weights {
  std::vector<T> w;
  Weights() { for (int i = 0; i < 4; i++) w.push_back(T(i) / 3); }
  ~Weights() { w.clear(); }
};
static Weights<float> weights;
static thread_local int calls = 0;
template <class T, unsigned long N> T dot(const std::array<T, N> &a, const std::vector<T> &b) {
  T s{}; for (unsigned long i = 0; i < N; i++) s += a[i] * b[i]; return s;
}
extern "C" void autokernel_reference_call(void **a) {
  std::array<float, 4> x = *(std::array<float, 4> *)*(float **)a[0];
  **(float **)a[1] = dot(x, weights.w);
  int *counts = *(int **)a[2];
  for (int i = 0; i < 4; i++) counts[(int)std::floor(x[i]) & 1] += ++calls;
})";
  auto O = build(Text, {"-std=c++17"});
  ASSERT_TRUE(O);
  float X[4] = {1.5f, 2.5f, 3.25f, 4.75f}, R = 0, *Px = X, *Pr = &R;
  int Counts[2] = {}, *Pc = Counts;
  call(O->twin(ReferenceEntry), Px, Pr, Pc);
  EXPECT_EQ(Counts[0] + Counts[1], 10);
  double Expected = 0;
  for (int I = 0; I < 4; ++I)
    Expected += double(X[I]) * double(float(I) / 3);
  EXPECT_NEAR(double(O->shadowOf(&R, 4).Value), Expected, 1e-6);
  EXPECT_TRUE(O->shadowOf(&R, 4).Known);
}

TEST(Reference, FastMathStaysOutOfTheTwin) {
  // With reassociation the loop may fold (x + y) - x to y; the twin must not.
  const char *Text = R"(
extern "C" void autokernel_reference_call(void **a) {
  float x = *(float *)a[0], y = *(float *)a[1];
  **(float **)a[2] = (x + y) - x;
})";
  auto O = build(Text, {"-ffast-math"});
  ASSERT_TRUE(O);
  float X = 1e8f, Y = 1, Fast = 0, Twin = 7, *Pf = &Fast, *Pt = &Twin;
  call(O->native(ReferenceEntry), X, Y, Pf);
  call(O->twin(ReferenceEntry), X, Y, Pt);
  EXPECT_EQ(Fast, 1);
  EXPECT_EQ(Twin, 0);
  EXPECT_TRUE(judge(*O, 0, Fast, Twin).accepted());
}

} // namespace
