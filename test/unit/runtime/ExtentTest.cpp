// The interval evaluator on the shapes of loops that programs have.
#include "Attained.h"
#include "Regions.h"

#include <gtest/gtest.h>

namespace autokernel {

static void PrintTo(const Interval &i, std::ostream *os) {
  if (i.known)
    *os << '[' << i.lo << ", " << i.hi << ']';
  else
    *os << "unknown";
}
static bool operator==(const Interval &a, const Interval &b) {
  if (!a.known || !b.known || a.empty() || b.empty())
    return a.known == b.known && a.empty() == b.empty();
  return a.lo == b.lo && a.hi == b.hi;
}

namespace runtime {
namespace {

constexpr Interval Unknown = {0, 0, false};
constexpr Interval Empty = {};

/// `p0` is scalar parameter 0 and so on; loops are outermost first.
struct Nest {
  Build b;
  std::vector<LoopCode> loops;
  std::vector<unsigned> path;
  std::vector<Code> conditions;
  std::vector<Interval> data = std::vector<Interval>(8, Unknown);

  Nest &loop(std::vector<Instr> first, std::vector<Instr> last,
             int64_t step = 1) {
    path.push_back(unsigned(loops.size()));
    loops.push_back({b.code(first), b.code(last), b.code({constant(step)})});
    return *this;
  }
  Nest &when(std::vector<Instr> condition) {
    conditions.push_back(b.code(condition));
    return *this;
  }
  Env env(const std::vector<int64_t> &scalars) {
    return {scalars.data(), data.data(), loops.data()};
  }
  Interval at(std::vector<Instr> index, std::vector<int64_t> scalars) {
    AccessCode a = {0,
                    true,
                    b.code(index),
                    path.data(),
                    unsigned(path.size()),
                    conditions.data(),
                    unsigned(conditions.size())};
    return touched(env(scalars), a);
  }
  bool attained(std::vector<Instr> index, std::vector<int64_t> scalars) {
    AccessCode a = {0,
                    true,
                    b.code(index),
                    path.data(),
                    unsigned(path.size()),
                    conditions.data(),
                    unsigned(conditions.size())};
    return endsAttained(env(scalars), a);
  }
  Interval trips(std::vector<int64_t> scalars) {
    return tripCount(env(scalars), path.data(), unsigned(path.size()));
  }
};

const std::vector<Instr> Zero = {constant(0)};
const std::vector<Instr> BelowP0 = {param(0), constant(1), op(Op::Sub)};
const std::vector<Instr> BelowP1 = {param(1), constant(1), op(Op::Sub)};

TEST(Extent, PlainLoop) {
  Nest n;
  n.loop(Zero, BelowP0);
  EXPECT_EQ(n.at({counter(0)}, {10}), (Interval{0, 9}));
  EXPECT_EQ(n.at({counter(0)}, {1}), (Interval{0, 0}));
  EXPECT_EQ(n.at({counter(0)}, {0}), Empty);
  EXPECT_EQ(n.at({counter(0)}, {-5}), Empty);
}

TEST(Extent, StridesStopAtTheLastCounter) {
  Nest n;
  n.loop(Zero, BelowP0, 3);
  EXPECT_EQ(n.at({counter(0)}, {11}), (Interval{0, 9}));
  EXPECT_EQ(n.trips({11}), (Interval{0, 4}));
  EXPECT_EQ(n.at({counter(0), constant(2), op(Op::Mul)}, {11}),
            (Interval{0, 18}));
}

TEST(Extent, CountingDown) {
  Nest n; // for (i = p0 - 1; i >= 0; i -= 2)
  n.loop(BelowP0, Zero, -2);
  EXPECT_EQ(n.at({counter(0)}, {10}), (Interval{1, 9}));
  EXPECT_EQ(n.at({counter(0)}, {0}), Empty);
  EXPECT_EQ(n.trips({10}), (Interval{0, 5}));
}

TEST(Extent, Matrix) {
  Nest n;
  n.loop(Zero, BelowP0).loop(Zero, BelowP1);
  std::vector<Instr> index = {counter(0), param(1), op(Op::Mul), counter(1),
                              op(Op::Add)};
  EXPECT_EQ(n.at(index, {4, 7}), (Interval{0, 27}));
  EXPECT_EQ(n.at(index, {4, 0}), Empty);
}

TEST(Extent, LowerTriangle) {
  Nest n; // i < p0, j <= i
  n.loop(Zero, BelowP0).loop(Zero, {counter(0)});
  std::vector<Instr> index = {counter(0), param(0), op(Op::Mul), counter(1),
                              op(Op::Add)};
  EXPECT_EQ(n.at(index, {5}), (Interval{0, 24}));
  EXPECT_EQ(n.trips({5}), (Interval{0, 5}));
}

TEST(Extent, UpperTriangleStartsAfterTheDiagonal) {
  Nest n; // i < p0, i < j < p0
  n.loop(Zero, BelowP0).loop({counter(0), constant(1), op(Op::Add)}, BelowP0);
  EXPECT_EQ(n.at({counter(1)}, {5}), (Interval{1, 4}));
  EXPECT_EQ(n.at({counter(1)}, {1}), Empty);
}

TEST(Extent, StencilReachesItsNeighbours) {
  Nest n; // 1 <= i < p0 - 1
  n.loop({constant(1)}, {param(0), constant(2), op(Op::Sub)});
  EXPECT_EQ(n.at({counter(0), constant(1), op(Op::Sub)}, {10}),
            (Interval{0, 7}));
  EXPECT_EQ(n.at({counter(0), constant(1), op(Op::Add)}, {10}),
            (Interval{2, 9}));
}

TEST(Extent, ConditionsNarrow) {
  Nest n; // if (i - 1 >= 0) x[i - 1]
  n.loop(Zero, BelowP0).when({counter(0), constant(1), op(Op::Sub)});
  EXPECT_EQ(n.at({counter(0), constant(1), op(Op::Sub)}, {10}),
            (Interval{0, 8}));
  n.when({constant(-1)});
  EXPECT_EQ(n.at({counter(0)}, {10}), Empty);
}

TEST(Extent, ConditionOnTheSubscriptItself) {
  Nest n; // k = i + j - 1; if (k >= 0 && k < p0) x[k]
  std::vector<Instr> k = {counter(0), counter(1), op(Op::Add), constant(1),
                          op(Op::Sub)};
  std::vector<Instr> below = {param(0),    constant(1), op(Op::Sub),
                              counter(0),  op(Op::Sub), counter(1),
                              op(Op::Sub), constant(1), op(Op::Add)};
  n.loop(Zero, BelowP0).loop(Zero, {constant(2)}).when(k).when(below);
  EXPECT_EQ(n.at(k, {10}), (Interval{0, 9}));
}

TEST(Extent, ConditionsOnPartsOfTheSubscript) {
  // y = j + dj - 1 and x = i + di - 1 inside [0, h) x [0, w): a[y * w + x]
  Nest n;
  auto part = [](int64_t c, int64_t dc) {
    return std::vector<Instr>{counter(c), counter(dc), op(Op::Add), constant(1),
                              op(Op::Sub)};
  };
  auto below = [&](int64_t p, std::vector<Instr> e) {
    std::vector<Instr> r = {param(p), constant(1), op(Op::Sub)};
    r.insert(r.end(), e.begin(), e.end());
    r.push_back(op(Op::Sub));
    return r;
  };
  std::vector<Instr> y = part(0, 2), x = part(1, 3), index = y;
  index.insert(index.end(), {param(1), op(Op::Mul)});
  index.insert(index.end(), x.begin(), x.end());
  index.push_back(op(Op::Add));
  n.loop(Zero, BelowP0).loop(Zero, BelowP1);
  n.loop(Zero, {constant(2)}).loop(Zero, {constant(2)});
  n.when(y).when(below(0, y)).when(x).when(below(1, x));
  EXPECT_EQ(n.at(index, {6, 9}), (Interval{0, 53}));
}

TEST(Extent, DataFromAnIndexArray) {
  Nest n;
  n.loop(Zero, BelowP0);
  n.data[3] = {2, 40};
  EXPECT_EQ(n.at({data(3)}, {5}), (Interval{2, 40}));
  EXPECT_EQ(n.at({data(3), constant(4), op(Op::Mul)}, {5}), (Interval{8, 160}));
  EXPECT_EQ(n.at({data(4)}, {5}), Unknown);
}

TEST(Extent, RowsOfASparseMatrix) {
  Nest n; // for i < p0, for k in [row[i], row[i + 1])
  n.data[1] = {0, 12};
  n.loop(Zero, BelowP0).loop({data(1)}, {data(1), constant(1), op(Op::Sub)});
  EXPECT_EQ(n.at({counter(1)}, {5}), (Interval{0, 11}));
}

TEST(Extent, OverflowIsUnknown) {
  Nest n;
  n.loop(Zero, BelowP0);
  std::vector<Instr> index = {counter(0), param(1), op(Op::Mul)};
  EXPECT_EQ(n.at(index, {int64_t(1) << 40, int64_t(1) << 40}), Unknown);
  EXPECT_EQ(n.at({counter(0), constant(INT64_MAX), op(Op::Add)}, {3}), Unknown);
}

TEST(Extent, DivisionAndRemainder) {
  Nest n;
  n.loop(Zero, BelowP0);
  EXPECT_EQ(n.at({counter(0), constant(4), op(Op::Div)}, {10}),
            (Interval{0, 2}));
  EXPECT_EQ(n.at({counter(0), constant(4), op(Op::Rem)}, {10}),
            (Interval{0, 3}));
  EXPECT_EQ(n.at({counter(0), param(1), op(Op::Div)}, {10, 0}), Unknown);
}

TEST(Attained, PlainAndTriangularLoops) {
  Nest n;
  n.loop(Zero, BelowP0);
  EXPECT_TRUE(n.attained({counter(0)}, {10}));
  EXPECT_TRUE(n.attained({counter(0), constant(-3), op(Op::Mul)}, {10}));
  EXPECT_FALSE(n.attained({counter(0), constant(4), op(Op::Rem)}, {10}));
  n.loop(Zero, {counter(0)}); // j <= i, never empty
  EXPECT_TRUE(n.attained({counter(1)}, {10}));
}

TEST(Attained, LoopsThatMayBeEmptyAreDoubtful) {
  Nest n; // j in (i, p0)
  n.loop(Zero, BelowP0).loop({counter(0), constant(1), op(Op::Add)}, BelowP0);
  EXPECT_FALSE(n.attained({counter(1)}, {10}));
}

TEST(Attained, Conditions) {
  Nest n;
  n.loop(Zero, BelowP0).loop(Zero, BelowP0);
  n.when({counter(0), constant(1), op(Op::Sub)});
  EXPECT_TRUE(n.attained({counter(0)}, {10}));
  n.when({counter(0), counter(1), op(Op::Sub)}); // two counters
  EXPECT_FALSE(n.attained({counter(0)}, {10}));
}

TEST(Attained, Data) {
  Nest n;
  n.loop(Zero, BelowP0);
  n.data[3] = {2, 40};
  EXPECT_TRUE(n.attained({data(3)}, {5}));
  EXPECT_TRUE(n.attained({data(3), constant(4), op(Op::Mul)}, {5}));
  EXPECT_FALSE(n.attained({data(3), counter(0), op(Op::Add)}, {5}));
}

TEST(Extent, UnknownStaysUnknown) {
  Nest n;
  n.loop(Zero, BelowP0);
  EXPECT_EQ(n.at({op(Op::Unknown)}, {10}), Unknown);
}

} // namespace
} // namespace runtime
} // namespace autokernel
