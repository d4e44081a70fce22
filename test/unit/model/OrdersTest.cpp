// Which loops may run in any order, on whole sources.
#include "Source.h"

using namespace autokernel;
using namespace autokernel::test;

namespace {

struct OrderCase {
  const char *name, *body;
  const char *refusedAs; // "" where taken
  const char *regionClass;
};

void PrintTo(const OrderCase &c, std::ostream *os) { *os << c.name; }

class Orders : public ::testing::TestWithParam<OrderCase> {};

TEST_P(Orders, Region) {
  const OrderCase &c = GetParam();
  Analysed a = analyseCpp(
      std::string("#include <cmath>\n#include <algorithm>\n"
                  "static float max(float a, float b) { return a + 2 * b; }\n"
                  "float f(float *x, float *y, const float *w, const int *k, "
                  "int *h, int n, int m, float s) {\n") +
      c.body + "\nreturn s; }\n");
  EXPECT_EQ(a.refusedAs(), c.refusedAs)
      << (a.unit.regions.empty() || !a.unit.regions[0].refusal
              ? ""
              : a.unit.regions[0].refusal->message);
  if (!*c.refusedAs) {
    EXPECT_EQ(a.contract().regionClass, c.regionClass);
  }
}

const OrderCase cases[] = {
    {"Saxpy",
     "[[autokernel]] for (int i = 0; i < n; ++i) y[i] = s * x[i] + y[i];", "",
     "map"},
    {"Shifted", "[[autokernel]] for (int i = 0; i < n; ++i) y[i] = x[i + 1];",
     "", "map"},
    {"ShiftedInPlace",
     "[[autokernel]] for (int i = 0; i < n; ++i) x[i] = x[i + 1];",
     "carried-dependence", ""},
    {"Backwards",
     "[[autokernel]] for (int i = n - 1; i >= 0; --i) y[i] = x[i];", "", "map"},
    {"Prefix", "[[autokernel]] for (int i = 1; i < n; ++i) y[i] += y[i - 1];",
     "carried-dependence", ""},
    {"EvenFromOdd",
     "[[autokernel]] for (int i = 0; i < n; ++i) x[2 * i] = x[2 * i + 1];", "",
     "map"},
    {"Reverse",
     "[[autokernel]] for (int i = 0; i < n; ++i) x[i] = x[n - 1 - i];",
     "carried-dependence", ""},
    {"Scalar", "[[autokernel]] for (int i = 0; i < n; ++i) y[0] = x[i];",
     "carried-dependence", ""},
    {"Sum", "[[autokernel]] for (int i = 0; i < n; ++i) s += x[i];", "",
     "reduction"},
    {"SumAssign",
     "[[autokernel]] for (int i = 0; i < n; ++i) s = x[i] * w[i] + s;", "",
     "reduction"},
    {"Maximum",
     "[[autokernel]] for (int i = 0; i < n; ++i) if (x[i] > s) s = x[i];", "",
     "reduction"},
    {"MaximumCall",
     "[[autokernel]] for (int i = 0; i < n; ++i) s = std::max(s, x[i]);", "",
     "reduction"},
    {"Alternating", "[[autokernel]] for (int i = 0; i < n; ++i) s = x[i] - s;",
     "carried-dependence", ""},
    {"ReductionWithRead",
     "[[autokernel]] for (int i = 0; i < n; ++i) { s += x[i]; y[i] = s; }", "",
     "scan"},
    {"TwoOperators",
     "[[autokernel]] for (int i = 0; i < n; ++i) { s += x[i]; s *= 2; }",
     "carried-dependence", ""},
    {"RowSums",
     "[[autokernel]] for (int i = 0; i < n; ++i) { float t = 0; for (int j = "
     "0; j < m; ++j) t += x[i * m + j]; y[i] = t; }",
     "", "rows"},
    {"MatrixMultiply",
     "[[autokernel]] for (int i = 0; i < n; ++i) for (int j = 0; j < n; ++j) { "
     "float t = 0; for (int l = 0; l < m; ++l) t += x[i * m + l] * w[l * n + "
     "j]; y[i * n + j] = t; }",
     "", "rows"},
    {"Histogram", "[[autokernel]] for (int i = 0; i < n; ++i) h[k[i]] += 1;",
     "", "scatter"},
    {"HistogramUsed",
     "[[autokernel]] for (int i = 0; i < n; ++i) y[i] = h[k[i]]++;",
     "carried-dependence", ""},
    {"Gather", "[[autokernel]] for (int i = 0; i < n; ++i) y[i] = x[k[i]];", "",
     "map"},
    {"Scatter", "[[autokernel]] for (int i = 0; i < n; ++i) y[k[i]] = x[i];",
     "carried-dependence", ""},
    {"ScatterClaimed",
     "[[autokernel, autokernel_independent]] for (int i = 0; i < n; ++i) "
     "y[k[i]] = x[i];",
     "", "map"},
    {"FloatScatterMultiply",
     "[[autokernel]] for (int i = 0; i < n; ++i) y[k[i]] *= x[i];",
     "carried-dependence", ""},
    {"Sequence",
     "[[autokernel]] { for (int i = 0; i < n; ++i) y[i] = x[i]; for (int i = "
     "1; i < n; ++i) x[i] = y[i - 1]; }",
     "", "sequence"},
    {"LocalArrayPerIteration",
     "[[autokernel]] for (int i = 0; i < n; ++i) { float t[2]; t[0] = x[i]; "
     "t[1] = w[i]; y[i] = t[0] + t[1]; }",
     "", "map"},
    {"LocalArrayShared",
     "[[autokernel]] { float t[2]; for (int i = 0; i < n; ++i) { t[0] = x[i]; "
     "y[i] = t[0]; } }",
     "carried-dependence", ""},
    {"RedBlack",
     "[[autokernel]] for (int i = 2; i < n; i += 2) x[i] = x[i - 1] + x[i + "
     "1];",
     "", "map"},
    {"GaussSeidel",
     "[[autokernel]] for (int i = 1; i < n; ++i) x[i] = x[i - 1] + x[i + 1];",
     "carried-dependence", ""},
    {"TransposedWrite",
     "[[autokernel]] for (int i = 0; i < n; ++i) for (int j = 0; j < m; ++j) "
     "y[j * n + i] = x[i * m + j];",
     "", "map"},
    {"Triangle",
     "[[autokernel]] for (int i = 0; i < n; ++i) for (int j = 0; j <= i; ++j) "
     "y[i * n + j] = x[j * n + i];",
     "", "map"},
    {"WrongRowLength",
     "[[autokernel]] for (int i = 0; i < n; ++i) for (int j = 0; j < 40; ++j) "
     "{ y[i * 39 + j] = x[j]; if (x[j] > 1) break; }",
     "carried-dependence", ""},
    {"Modulo", "[[autokernel]] for (int i = 0; i < n; ++i) y[i % 16] = x[i];",
     "carried-dependence", ""},
    {"PrivateScalar",
     "float t; [[autokernel]] for (int i = 0; i < n; ++i) { t = x[i]; y[i] = t "
     "* t; }",
     "", "map"},
    {"CarriedScalar",
     "float t = 0; [[autokernel]] for (int i = 0; i < n; ++i) { y[i] = t; t = "
     "x[i]; }",
     "carried-dependence", ""},
    {"MaybeSetScalar",
     "float t = 0; [[autokernel]] for (int i = 0; i < n; ++i) { if (x[i] > 0) "
     "t = x[i]; y[i] = t; }",
     "carried-dependence", ""},
    {"IntegerSumOfFloats",
     "int t = 0; [[autokernel]] for (int i = 0; i < n; ++i) t += x[i]; s = t;",
     "carried-dependence", ""},
    {"IntegerSumOfIntegers",
     "short t = 0; [[autokernel]] for (int i = 0; i < n; ++i) t += k[i]; s = "
     "t;",
     "", "reduction"},
    {"IntegerHistogramOfFloats",
     "[[autokernel]] for (int i = 0; i < n; ++i) h[k[i]] += w[i];",
     "carried-dependence", ""},
    {"MaximumInANarrowerType",
     "short t = 0; [[autokernel]] for (int i = 0; i < n; ++i) if (k[i] > t) t "
     "= k[i]; s = t;",
     "carried-dependence", ""},
    {"BoolSumOfIntegers",
     "bool t = false; [[autokernel]] for (int i = 0; i < n; ++i) t += k[i]; s "
     "= t;",
     "carried-dependence", ""},
    {"UserFunctionNamedMax",
     "[[autokernel]] for (int i = 0; i < n; ++i) s = max(s, x[i]);",
     "carried-dependence", ""},
    {"QuotientOfData",
     "[[autokernel]] for (int i = 0; i < n; ++i) y[k[i] / 2 + i] = x[i];",
     "carried-dependence", ""},
    {"QuotientOfAnUnknownElement",
     "[[autokernel(k[256])]] for (int i = 0; i < n; ++i) y[k[(unsigned char)i] "
     "/ 2 + i] = x[i];",
     "carried-dependence", ""},
    {"IndexDataThatIsWritten",
     "[[autokernel(y[n])]] for (int i = 0; i < n; ++i) if (h[i] == i) { h[i] = "
     "7; y[h[i]] = x[i]; }",
     "", "scatter"},
    {"IndexDataWrittenThroughAPointerFromOutside",
     "int *p = h; [[autokernel(y[n])]] for (int i = 0; i < n; ++i) if (p[i] == "
     "i) { p[i] = 7; y[p[i]] = x[i]; }",
     "", "scatter"},
    {"MaximumOfElements",
     "[[autokernel]] for (int i = 0; i < n; ++i) if (k[i] > h[k[i]]) h[k[i]] = "
     "k[i];",
     "", "scatter"},
    {"InductionMovedByAnInnerLoopAndBehindIt",
     "int t = 0; [[autokernel]] for (int i = 0; i < n; ++i) { for (int j = 0; "
     "j < m; ++j) { y[i * m + j] = x[t]; ++t; } ++t; }",
     "unknown-extent", ""},
    {"InductionMovedByInnerLoopsOnly",
     "int t = 0; [[autokernel]] for (int i = 0; i < n; ++i) for (int j = 0; j "
     "< m; ++j) { y[i * m + j] = x[t]; ++t; }",
     "", "map"},
    {"StoresInOrder",
     "[[autokernel(y[n])]] for (int i = 0; i < n; ++i) y[k[i]] = x[i];", "",
     "scatter"},
    {"StoresInOrderThatAreRead",
     "[[autokernel(y[n])]] for (int i = 0; i < n; ++i) { y[k[i]] = x[i]; h[i] "
     "= y[i] > 0; }",
     "carried-dependence", ""},
    {"StoresInOrderBesideOthers",
     "[[autokernel(y[n])]] for (int i = 0; i < n; ++i) { y[k[i]] = x[i]; y[0] "
     "= 1; }",
     "carried-dependence", ""},
    {"WhereTheLargestIs",
     "float b = 0; int at = 0; [[autokernel]] for (int i = 0; i < n; ++i) if "
     "(x[i] > b) { b = x[i]; at = i; } s = b + at;",
     "", "reduction"},
    {"WhereTheSmallestIsAmongSome",
     "float b = 9; int at = 0; [[autokernel]] for (int i = 0; i < n; ++i) if "
     "(k[i] > 2 && b > x[i]) { at = i; b = x[i]; } s = b + at;",
     "", "reduction"},
    {"AnotherThanTheCandidate",
     "float b = 0; int at = 0; [[autokernel]] for (int i = 0; i < n; ++i) if "
     "(x[i] > b) { b = x[i] * 2; at = i; } s = b + at;",
     "carried-dependence", ""},
    {"CandidateThatChanges",
     "float b = 0; int at = 0; [[autokernel]] for (int i = 0; i < n; ++i) { "
     "float v = x[i]; if (v > b) { at = i; v = 0; b = v; } } s = b + at;",
     "carried-dependence", ""},
    {"ReadElsewhere",
     "float b = 0; int at = 0; [[autokernel]] for (int i = 0; i < n; ++i) { if "
     "(x[i] > b) { b = x[i]; at = i; } y[i] = b; } s = at;",
     "carried-dependence", ""},
    {"AssignedElsewhere",
     "float b = 0; int at = 0; [[autokernel]] for (int i = 0; i < n; ++i) { if "
     "(x[i] > b) { b = x[i]; at = i; } if (k[i] == 3) at = 0; } s = b + at;",
     "carried-dependence", ""},
    {"NotBelowIsNotAbove", // with a NaN
     "float b = 0; int at = 0; [[autokernel]] for (int i = 0; i < n; ++i) if "
     "(!(x[i] <= b)) { b = x[i]; at = i; } s = b + at;",
     "carried-dependence", ""},
    {"NotBelowIsAboveForIntegers",
     "int b = 0, at = 0; [[autokernel]] for (int i = 0; i < n; ++i) if (!(k[i] "
     "<= b)) { b = k[i]; at = i; } s = b + at;",
     "", "reduction"},
    {"RoundedCandidate",
     "float b = 0; int at = 0; [[autokernel]] for (int i = 0; i < n; ++i) if "
     "(x[i] * 1.1 > b) { b = x[i] * 1.1; at = i; } s = b + at;",
     "carried-dependence", ""},
    {"LeavesBetweenTheTwo",
     "float b = 0; int at = 0; [[autokernel]] for (int i = 0; i < n; ++i) if "
     "(x[i] > b) { b = x[i]; if (k[i]) continue; at = i; } s = b + at;",
     "carried-dependence", ""},
    {"RunningTotal",
     "[[autokernel]] for (int i = 0; i < n; ++i) { s += x[i]; y[i] = s; }", "",
     "scan"},
    {"Compaction",
     "int t = 0; [[autokernel(y[n])]] for (int i = 0; i < n; ++i) if (x[i] > "
     "0) y[t++] = x[i]; s = t;",
     "", "scan"},
    {"RunningTotalThatDecides",
     "[[autokernel]] for (int i = 0; i < n; ++i) { if (s < 9) s += x[i]; y[i] "
     "= s; }",
     "carried-dependence", ""},
    {"RunningTotalOfWhatIsStored",
     "[[autokernel]] for (int i = 0; i < n; ++i) { y[i] = s; s += y[i]; }",
     "carried-dependence", ""},
    {"RunningTotalThatIsReset",
     "[[autokernel]] for (int i = 0; i < n; ++i) { if (k[i]) s = 0; s += x[i]; "
     "y[i] = s; }",
     "carried-dependence", ""},
    {"CompactionThatStandsStill",
     "int t = 0; [[autokernel(y[n])]] for (int i = 0; i < n; ++i) { y[t] = "
     "x[i]; if (x[i] > 0) t++; } s = t;",
     "carried-dependence", ""},
    {"CompactionThatSometimesStandsStill",
     "int t = 0; [[autokernel(y[n])]] for (int i = 0; i < n; ++i) { y[t] = "
     "x[i]; if (x[i] > 0) continue; t++; } s = t;",
     "carried-dependence", ""},
    {"RunningTotalThroughALocalArray",
     "[[autokernel]] for (int i = 0; i < n; ++i) { float t[1]; t[0] = s; s += "
     "t[0] * x[i]; y[i] = s; }",
     "carried-dependence", ""},
    {"CompactionThatGoesBack",
     "int t = 0; [[autokernel(y[n])]] for (int i = 0; i < n; ++i) { if (x[i] > "
     "0) y[t++] = x[i]; else t--; } s = t;",
     "carried-dependence", ""},
    {"CompactionWithinAChoice",
     "int t = 0; [[autokernel(y[n])]] for (int i = 0; i < n; ++i) y[i] = t < 3 "
     "? x[t++] : 0; s = t;",
     "carried-dependence", ""},
    {"RunningTotalBesideASum",
     "float r = 0; [[autokernel]] for (int i = 0; i < n; ++i) { s += x[i]; "
     "y[i] = s; r += w[i]; } s = r;",
     "carried-dependence", ""},
    {"TheLastMatch",
     "int at = -1; [[autokernel]] for (int i = 0; i < n; ++i) if (x[i] > 1) at "
     "= i; s = at;",
     "", "reduction"},
    {"JumpForward",
     "[[autokernel]] for (int i = 0; i < n; ++i) { if (x[i] > 1) goto out; "
     "y[i] = 2; out:; }",
     "", "map"},
    {"JumpBack",
     "[[autokernel]] for (int i = 0; i < n; ++i) { again: y[i] += x[i] + 1; if "
     "(y[i] < 9) goto again; }",
     "unsupported-statement", ""},
    {"JumpOverALoop",
     "[[autokernel]] for (int i = 0; i < n; ++i) { if (x[i] > 1) goto out; for "
     "(int j = 0; j < m; ++j) y[i * m + j] = 0; out:; }",
     "unsupported-statement", ""},
    {"JumpOutOfALoop",
     "[[autokernel]] for (int i = 0; i < n; ++i) { for (int j = 0; j < m; ++j) "
     "if (x[j] > 1) goto out; out: y[i] = 0; }",
     "unsupported-statement", ""},
    {"JumpOutOfTheRegion",
     "[[autokernel]] for (int i = 0; i < n; ++i) { if (x[i] > 1) goto out; "
     "y[i] = 0; } out:;",
     "leaves-early", ""},
    {"ValueOnlySetWhereNotJumpedOver",
     "float t = 0; [[autokernel]] for (int i = 0; i < n; ++i) { if (x[i] > 1) "
     "goto out; t = x[i]; out: y[i] = t; } s = t;",
     "carried-dependence", ""},
    {"MaximumInAWiderType",
     "short t = 0; [[autokernel]] for (int i = 0; i < n; ++i) if (short(k[i]) "
     "> t) t = short(k[i]); s = t;",
     "", "reduction"},
    {"BoundWithASideEffect",
     "[[autokernel]] for (int i = 0; i < n--; ++i) y[i] = 0;",
     "counter-changes", ""},
    {"IndexDataWrittenThroughAPointer",
     "[[autokernel(y[n])]] for (int i = 0; i < n; ++i) { int *p = h; if (h[i] "
     "== i) { p[i] = 7; y[h[i]] = x[i]; } }",
     "", "scatter"},
    {"Break",
     "[[autokernel]] for (int i = 0; i < n; ++i) { if (x[i] < 0) break; y[i] = "
     "x[i]; }",
     "leaves-early", ""},
    {"InnerBreak",
     "[[autokernel]] for (int i = 0; i < n; ++i) { float t = 0; for (int j = "
     "0; j < m; ++j) { if (x[i * m + j] < 0) break; t += x[i * m + j]; } y[i] "
     "= t; }",
     "", "map"},
    {"Continue",
     "[[autokernel]] for (int i = 0; i < n; ++i) { if (x[i] < 0) continue; "
     "y[i] = std::sqrt(x[i]); }",
     "", "map"},
};

INSTANTIATE_TEST_SUITE_P(Table, Orders, ::testing::ValuesIn(cases),
                         [](const auto &info) { return info.param.name; });

TEST(OrdersOfNests, EachLoopIsDecidedAlone) {
  Analysed a = analyseCpp(R"(
    void f(float *x, int n, int m) {
      [[autokernel]] for (int c = 0; c < m; ++c)
        for (int i = 1; i < n; ++i)
          x[i * m + c] += x[(i - 1) * m + c];
    })");
  EXPECT_EQ(a.loop("c").order, Order::Proved);
  EXPECT_EQ(a.loop("i").order, Order::Sequential);
  EXPECT_FALSE(a.contract().guards.empty()); // c < m: rows don't overlap
}

TEST(OrdersOfNests, AReductionIsRecorded) {
  Analysed a = analyseCpp(R"(
    double f(const double *x, int n) {
      double s = 0;
      [[autokernel]] for (int i = 0; i < n; ++i) s -= x[i];
      return s;
    })");
  ASSERT_EQ(a.loop("i").reductions.size(), 1u);
  EXPECT_EQ(a.loop("i").reductions[0].variable, "s");
  EXPECT_EQ(a.loop("i").reductions[0].op, "+");
  EXPECT_EQ(a.loop("i").reductions[0].type.spelling, "double");
}

TEST(OrdersOfNests, AtomicsNameTheirArrays) {
  Analysed a = analyseCpp(R"(
    void f(unsigned *h, const unsigned char *x, int n) {
      [[autokernel]] for (int i = 0; i < n; ++i) h[x[i]]++;
    })");
  EXPECT_EQ(a.loop("i").atomics, std::vector<std::string>{"h"});
}

TEST(OrdersOfNests, ReorderingCanBeForbidden) {
  Analysed a = analyseCpp(R"(
    float f(const float *x, int n) {
      float s = 0;
      [[autokernel, autokernel_reassociate(off)]] for (int i = 0; i < n; ++i) s += x[i];
      return s;
    })");
  EXPECT_EQ(a.refusedAs(), "carried-dependence");
  Analysed ints = analyseCpp(R"(
    int f(const int *x, int n) {
      int s = 0;
      [[autokernel, autokernel_reassociate(off)]] for (int i = 0; i < n; ++i) s += x[i];
      return s;
    })");
  EXPECT_EQ(ints.refusedAs(), ""); // integers have no rounding
}

TEST(OrdersOfNests, SequentialLoopsAreSteppedThrough) {
  Analysed a = analyseCpp(R"(
    void f(float *x, int n, int m) {
      [[autokernel]] for (int i = 1; i < n; ++i)
        for (int c = 0; c < m; ++c)
          x[i * m + c] += x[(i - 1) * m + c];
    })");
  ASSERT_EQ(a.refusedAs(), "");
  const Contract &contract = a.model().contract;
  EXPECT_EQ(contract.loops[0].order, Order::Sequential);
  EXPECT_EQ(contract.loops[1].order, Order::Proved);
}

TEST(OrdersOfNests, TheRefusalNamesTheParallelLoopBelow) {
  Analysed a = analyseCpp(R"(
    void f(float *x, const int *n, int m) {
      [[autokernel]] for (int i = 1; i < n[0]; ++i)
        for (int c = 0; c < m; ++c)
          x[i * m + c] += x[(i - 1) * m + c];
    })");
  const Refusal &r = a.refusal();
  bool helps = false;
  for (const Refusal::Note &note : r.notes)
    helps |= note.message.find("'c' is parallel") != std::string::npos;
  EXPECT_TRUE(helps);
  EXPECT_EQ(r.place.line, 5u);
}

} // namespace
