// Which wrong variants a text gives.

#include "verify/Mutants.h"
#include "gtest/gtest.h"

#include <algorithm>

using namespace autokernel;

namespace {

/// "kind: before -> after" of each mutant.
std::vector<std::string> of(const std::string &source) {
  std::vector<std::string> out;
  for (const Mutant &m : mutantsOf(source))
    out.push_back(m.kind + ": " + m.before + " -> " + m.after);
  return out;
}

using List = std::vector<std::string>;

TEST(Mutants, Conditions) {
  EXPECT_EQ(of("if (i < n) f();"), (List{"condition dropped: i < n -> true",
                                         "comparison flipped: < -> <="}));
  EXPECT_EQ(of("if (r >= rows) return;"),
            (List{"condition dropped: r >= rows -> false",
                  "comparison flipped: >= -> >"}));
}

TEST(Mutants, TemplatesAreNoComparisons) {
  EXPECT_TRUE(of("auto t = cg::tiled_partition<32>(block);").empty());
  EXPECT_TRUE(
      of("const float4 *p = reinterpret_cast<const float4 *>(q);").empty());
}

TEST(Mutants, Barriers) {
  EXPECT_EQ(of("__syncthreads();"),
            (List{"barrier removed: __syncthreads() -> "}));
  EXPECT_EQ(of("tile.sync();"), (List{"barrier removed: tile.sync() -> "}));
}

TEST(Mutants, StartsAndSubscripts) {
  EXPECT_EQ(of("float s = 0, m = -INFINITY;"),
            (List{"wrong start: 0 -> 1", "wrong start: -INFINITY -> 0"}));
  EXPECT_EQ(of("y[i] = x[i];"), (List{"index off by one: i -> (i) + 1",
                                      "index off by one: i -> (i) + 1"}));
  EXPECT_TRUE(of("__shared__ float a[32][33];").empty());
  EXPECT_TRUE(of("float v[4];").empty());
}

TEST(Mutants, OperatorsAndConstants) {
  EXPECT_EQ(of("s += a * b;"),
            (List{"other operator: += -> -=", "other operator: * -> +"}));
  EXPECT_TRUE(of("const float *x; return -v;").empty());
  EXPECT_EQ(of("v = f(0.5f);"), (List{"constant off: 0.5f -> 0.5005f"}));
}

TEST(Mutants, Atomics) {
  EXPECT_EQ(of("atomicAdd(&s[f(a, b)], v);"),
            (List{"atomic made plain: atomicAdd(&s[f(a, b)], v) -> *(&s[f(a, "
                  "b)]) = *(&s[f(a, b)]) + (v)",
                  "index off by one: f(a, b) -> (f(a, b)) + 1"}));
}

TEST(Mutants, LauncherAndLaunchKeepTheirNumbers) {
  EXPECT_EQ(of("extern \"C\" int go(int n) { if (n > 0) k<<<(n + 255) / 256, "
               "256>>>(n); }"),
            (List{"condition dropped: n > 0 -> true",
                  "comparison flipped: > -> >="}));
}

TEST(Mutants, CommentsAndDirectivesStay) {
  EXPECT_TRUE(
      of("// i < n\n/* a + b */\n#define N(a, b) \\\n  (a + b)\n").empty());
}

TEST(Mutants, ReplaceTheirPlace) {
  std::string source = "y = a + b;\nz = c - d;";
  auto mutants = mutantsOf(source);
  ASSERT_EQ(mutants.size(), 2u);
  EXPECT_EQ(mutated(source, mutants[1]), "y = a + b;\nz = c + d;");
  EXPECT_EQ(mutants[1].line, 2u);
  EXPECT_EQ(mutants[1].column, 7u);
}

} // namespace
