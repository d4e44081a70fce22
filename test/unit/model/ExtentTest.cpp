// extent.h: interval evaluation against enumeration.
#include "autokernel/extent.h"

#include <functional>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <vector>

using namespace autokernel;

namespace {

using Postfix = std::vector<Instr>;

Postfix num(int64_t v) { return {{Op::Const, v}}; }
Postfix par(int64_t n) { return {{Op::Param, n}}; }
Postfix cnt(int64_t n) { return {{Op::Counter, n}}; }
Postfix data(int64_t n) { return {{Op::Data, n}}; }
Postfix bin(Op op, Postfix a, const Postfix &b) {
  a.insert(a.end(), b.begin(), b.end());
  a.push_back({op, 0});
  return a;
}
Postfix add(const Postfix &a, const Postfix &b) { return bin(Op::Add, a, b); }
Postfix sub(const Postfix &a, const Postfix &b) { return bin(Op::Sub, a, b); }
Postfix mul(const Postfix &a, const Postfix &b) { return bin(Op::Mul, a, b); }

Code code(const Postfix &p) { return {p.data(), unsigned(p.size())}; }

struct TestLoop {
  Postfix first, last, step;
};

/// A nest 0, 1, ... with one access in its innermost body.
struct Nest {
  std::vector<int64_t> scalars;
  std::vector<Interval> ranges;
  std::vector<TestLoop> loops;
  Postfix index;
  std::vector<Postfix> conditions;

  Interval evaluate() const {
    std::vector<LoopCode> codes;
    std::vector<unsigned> path;
    for (const TestLoop &l : loops) {
      path.push_back(codes.size());
      codes.push_back({code(l.first), code(l.last), code(l.step)});
    }
    std::vector<Code> where;
    for (const Postfix &c : conditions)
      where.push_back(code(c));
    Env env{scalars.data(), ranges.data(), codes.data()};
    return touched(env,
                   {0, true, code(index), path.data(), unsigned(path.size()),
                    where.data(), unsigned(where.size())});
  }

  unsigned depth() const { return loops.size(); }
  Interval trips() const {
    std::vector<LoopCode> codes;
    std::vector<unsigned> path;
    for (const TestLoop &l : loops) {
      path.push_back(codes.size());
      codes.push_back({code(l.first), code(l.last), code(l.step)});
    }
    Env env{scalars.data(), ranges.data(), codes.data()};
    return tripCount(env, path.data(), path.size());
  }
};

/// What the program computes; nothing where it would divide by zero.
std::optional<int64_t> run(const Postfix &p, const Nest &nest,
                           const std::vector<int64_t> &counters) {
  std::vector<int64_t> stack;
  for (const Instr &i : p) {
    if (i.op == Op::Const) {
      stack.push_back(i.value);
    } else if (i.op == Op::Param) {
      stack.push_back(nest.scalars[i.value]);
    } else if (i.op == Op::Counter) {
      stack.push_back(counters[i.value]);
    } else if (i.op == Op::Neg) {
      stack.back() = -stack.back();
    } else {
      int64_t b = stack.back();
      stack.pop_back();
      int64_t &a = stack.back();
      bool divides = i.op == Op::Div || i.op == Op::Rem;
      bool shifts = i.op == Op::Shl || i.op == Op::Shr;
      if ((divides && b == 0) || (shifts && (b < 0 || b > 20)))
        return std::nullopt;
      a = i.op == Op::Add   ? a + b
          : i.op == Op::Sub ? a - b
          : i.op == Op::Mul ? a * b
          : i.op == Op::Div ? a / b
          : i.op == Op::Rem ? a % b
          : i.op == Op::Min ? std::min(a, b)
          : i.op == Op::Max ? std::max(a, b)
          : i.op == Op::Shl ? a << b
          : i.op == Op::Shr ? a >> b
                            : a & b;
    }
  }
  return stack.back();
}

struct Enumeration {
  Interval hull;
  bool defined = true; // no division by zero on the way
  int64_t longest = 0; // iterations of the innermost loop
};

Enumeration enumerate(const Nest &nest) {
  Enumeration out;
  std::vector<int64_t> counters;
  std::function<void()> go = [&] {
    unsigned d = counters.size();
    if (d == nest.depth()) {
      for (const Postfix &c : nest.conditions) {
        auto v = run(c, nest, counters);
        out.defined &= v.has_value();
        if (!v || *v < 0)
          return;
      }
      auto at = run(nest.index, nest, counters);
      out.defined &= at.has_value();
      if (!at)
        return;
      if (out.hull.empty())
        out.hull = {*at, *at, true};
      out.hull.lo = std::min(out.hull.lo, *at);
      out.hull.hi = std::max(out.hull.hi, *at);
      return;
    }
    auto first = run(nest.loops[d].first, nest, counters);
    auto last = run(nest.loops[d].last, nest, counters);
    auto step = run(nest.loops[d].step, nest, counters);
    out.defined &= first && last && step && *step != 0;
    if (!out.defined)
      return;
    int64_t n = 0;
    for (int64_t c = *first; *step > 0 ? c <= *last : c >= *last; c += *step) {
      counters.push_back(c);
      go();
      counters.pop_back();
      if (++n > 200 || !out.defined)
        break;
    }
    if (d + 1 == nest.depth())
      out.longest = std::max(out.longest, n);
  };
  go();
  return out;
}

#define EXPECT_HULL(nest, l, h)                                                \
  do {                                                                         \
    Interval i = (nest).evaluate();                                            \
    EXPECT_TRUE(i.known);                                                      \
    EXPECT_EQ(i.lo, l);                                                        \
    EXPECT_EQ(i.hi, h);                                                        \
  } while (false)

TestLoop upTo(const Postfix &bound) {
  return {num(0), sub(bound, num(1)), num(1)};
}

TEST(Extent, OneLoop) {
  Nest n{{100}, {}, {upTo(par(0))}, cnt(0), {}};
  EXPECT_HULL(n, 0, 99);
  n.index = add(mul(cnt(0), num(-3)), num(7));
  EXPECT_HULL(n, -290, 7);
}

TEST(Extent, EmptyLoops) {
  for (int64_t size : {0, -1, -1000}) {
    Nest n{{size}, {}, {upTo(par(0))}, cnt(0), {}};
    EXPECT_TRUE(n.evaluate().empty()) << size;
    Nest inner{{5, size}, {}, {upTo(par(0)), upTo(par(1))}, cnt(0), {}};
    EXPECT_TRUE(inner.evaluate().empty()) << size;
  }
}

TEST(Extent, StridesStopAtTheLastIteration) {
  Nest n{{10}, {}, {{num(0), sub(par(0), num(1)), num(4)}}, cnt(0), {}};
  EXPECT_HULL(n, 0, 8);
  n.loops[0] = {sub(par(0), num(1)), num(0), num(-4)};
  EXPECT_HULL(n, 1, 9);
}

TEST(Extent, DownCounting) {
  Nest n{{10}, {}, {{sub(par(0), num(1)), num(0), num(-1)}}, cnt(0), {}};
  EXPECT_HULL(n, 0, 9);
  n.scalars[0] = 0;
  EXPECT_TRUE(n.evaluate().empty());
}

TEST(Extent, Triangles) {
  // for i < n: for j <= i: a[i * n + j]
  Nest lower{{7},
             {},
             {upTo(par(0)), {num(0), cnt(0), num(1)}},
             add(mul(cnt(0), par(0)), cnt(1)),
             {}};
  EXPECT_HULL(lower, 0, 48);
  // for i < n: for j = i + 1 .. n - 1: a[i * n + j], a[j - i]
  Nest upper{{7},
             {},
             {upTo(par(0)), {add(cnt(0), num(1)), sub(par(0), num(1)), num(1)}},
             add(mul(cnt(0), par(0)), cnt(1)),
             {}};
  EXPECT_HULL(upper, 1, 5 * 7 + 6);
  upper.index = sub(cnt(1), cnt(0));
  EXPECT_HULL(upper, 1, 6);
}

TEST(Extent, CancellationIsExact) {
  // x[i - j] with both in 0 .. n-1, and x[(i + k) - i]
  Nest n{{5}, {}, {upTo(par(0)), upTo(par(0))}, sub(cnt(0), cnt(1)), {}};
  EXPECT_HULL(n, -4, 4);
  n.index = sub(add(cnt(0), cnt(1)), cnt(0));
  EXPECT_HULL(n, 0, 4);
}

TEST(Extent, ConditionsNarrow) {
  Nest n{{100, 10},
         {},
         {upTo(par(0))},
         sub(cnt(0), par(1)),
         {sub(cnt(0), par(1))}}; // i - k >= 0
  EXPECT_HULL(n, 0, 89);
  n.conditions = {sub(par(1), cnt(0)), sub(cnt(0), num(3))}; // 3 <= i <= k
  n.index = cnt(0);
  EXPECT_HULL(n, 3, 10);
  n.conditions = {sub(sub(par(1), num(11)), num(0))}; // k - 11 >= 0: never
  EXPECT_TRUE(n.evaluate().empty());
}

TEST(Extent, ConditionsRoundInward) {
  Nest n{
      {100}, {}, {upTo(par(0))}, cnt(0), {sub(mul(num(3), cnt(0)), num(10))}};
  EXPECT_HULL(n, 4, 99); // 3i >= 10
  n.conditions = {sub(num(10), mul(num(3), cnt(0)))};
  EXPECT_HULL(n, 0, 3); // 3i <= 10
}

TEST(Extent, QuotientsAndRests) {
  Nest n{{100}, {}, {upTo(par(0))}, bin(Op::Div, cnt(0), num(8)), {}};
  EXPECT_HULL(n, 0, 12);
  n.index = bin(Op::Rem, cnt(0), num(8));
  EXPECT_HULL(n, 0, 7);
  n.index = bin(Op::Rem, sub(num(0), cnt(0)), num(8));
  EXPECT_HULL(n, -7, 0);
  n.index = bin(Op::And, cnt(0), num(15));
  EXPECT_HULL(n, 0, 15);
  n.index = bin(Op::Shr, cnt(0), num(3));
  EXPECT_HULL(n, 0, 12);
  n.index = bin(Op::Div, num(5), cnt(0)); // 5 / 0 in the first iteration
  EXPECT_FALSE(n.evaluate().known);
}

TEST(Extent, DataComesFromTheMeasuredRange) {
  Nest n{{100}, {{3, 40, true}}, {upTo(par(0))}, add(data(0), num(1)), {}};
  EXPECT_HULL(n, 4, 41);
  n.ranges[0].known = false;
  EXPECT_FALSE(n.evaluate().known);
}

TEST(Extent, LoopsOverDataBounds) {
  // for i < n: for k = row[i] .. row[i + 1] - 1: x[k]
  Nest n{{100},
         {{0, 40, true}},
         {upTo(par(0)), {data(0), sub(data(0), num(1)), num(1)}},
         cnt(1),
         {}};
  EXPECT_HULL(n, 0, 39);
}

TEST(Extent, OverflowIsUnknownNeverWrong) {
  int64_t big = INT64_MAX;
  for (const Postfix &index :
       {mul(cnt(0), par(1)), add(cnt(0), par(1)), mul(par(1), par(1)),
        sub(num(-2), par(1)), bin(Op::Shl, par(1), num(3)),
        mul(add(cnt(0), par(1)), num(2))}) {
    Nest n{{100, big}, {}, {upTo(par(0))}, index, {}};
    EXPECT_FALSE(n.evaluate().known);
  }
  Nest huge{{big}, {}, {upTo(par(0))}, cnt(0), {}};
  EXPECT_HULL(huge, 0, big - 1);
  Nest lowest{{INT64_MIN}, {}, {upTo(par(0))}, cnt(0), {}};
  Interval i = lowest.evaluate(); // INT64_MIN - 1 overflows
  EXPECT_TRUE(!i.known || i.empty());
  Nest negative{
      {INT64_MIN}, {}, {{num(0), num(3), num(1)}}, sub(num(0), par(0)), {}};
  EXPECT_FALSE(negative.evaluate().known);
}

TEST(Extent, UnknownAndDeepExpressions) {
  Nest n{{100}, {}, {upTo(par(0))}, {{Op::Unknown, 0}}, {}};
  EXPECT_FALSE(n.evaluate().known);
  n.index = {};
  EXPECT_FALSE(n.evaluate().known);
  n.index = {{Op::Add, 0}};
  EXPECT_FALSE(n.evaluate().known);
  n.index = num(1);
  for (int i = 0; i < 100; ++i)
    n.index.insert(n.index.begin(), {Op::Const, 1});
  EXPECT_FALSE(n.evaluate().known); // 101 values on the stack
  n.index = cnt(9);                 // no loop of the path
  EXPECT_FALSE(n.evaluate().known);
  n.loops[0].step = num(0);
  n.index = cnt(0);
  EXPECT_FALSE(n.evaluate().known);
  n.loops.assign(11, upTo(par(0)));
  EXPECT_FALSE(n.evaluate().known); // deeper than MaxDepth
}

TEST(Extent, TripCounts) {
  Nest n{{10}, {}, {upTo(par(0))}, cnt(0), {}};
  EXPECT_EQ(n.trips().hi, 10);
  n.loops[0].step = num(4);
  EXPECT_EQ(n.trips().hi, 3);
  n.loops[0] = {sub(par(0), num(1)), num(0), num(-4)};
  EXPECT_EQ(n.trips().hi, 3);
  n.scalars[0] = 0;
  EXPECT_EQ(n.trips().hi, 0);
}

// --- random nests -----------------------------------------------------------

class Random {
public:
  explicit Random(uint64_t seed) : engine(seed) {}
  int64_t pick(int64_t lo, int64_t hi) {
    return std::uniform_int_distribution<int64_t>(lo, hi)(engine);
  }
  bool chance(int percent) { return pick(0, 99) < percent; }

  /// Affine in one scalar and some outer counters.
  Postfix affine(unsigned counters) {
    Postfix p = num(pick(-4, 6));
    if (chance(60))
      p = add(p, mul(num(pick(-1, 1)), par(pick(0, 1))));
    for (unsigned c = 0; c < counters; ++c)
      if (chance(40))
        p = add(p, mul(num(pick(-2, 2)), cnt(c)));
    return p;
  }

  Postfix index(unsigned counters, int depth) {
    if (depth == 0 || chance(35))
      return affine(counters);
    static const Op ops[] = {Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Rem,
                             Op::Min, Op::Max, Op::Shl, Op::Shr, Op::And};
    Op op = ops[pick(0, 9)];
    if (op == Op::Shl || op == Op::Shr)
      return bin(op, index(counters, depth - 1), num(pick(0, 4)));
    return bin(op, index(counters, depth - 1), index(counters, depth - 1));
  }

  Nest nest() {
    Nest n;
    n.scalars = {pick(-3, 9), pick(0, 6)};
    unsigned depth = pick(1, 3);
    for (unsigned d = 0; d < depth; ++d) {
      int64_t step = chance(60) ? 1 : pick(1, 3);
      TestLoop l{affine(d), affine(d), num(step)};
      if (chance(50))
        l.last = add(l.last, par(0));
      if (chance(30)) {
        l.step = num(-step);
        std::swap(l.first, l.last);
      }
      n.loops.push_back(l);
    }
    n.index = index(depth, chance(50) ? 0 : 2);
    for (int c = pick(0, 2); c > 0; --c)
      n.conditions.push_back(chance(80) ? affine(depth) : index(depth, 1));
    return n;
  }

private:
  std::mt19937_64 engine;
};

TEST(Extent, ContainsWhatRandomNestsTouch) {
  unsigned checked = 0, known = 0, tight = 0;
  for (uint64_t seed = 0; seed < 60000; ++seed) {
    Nest n = Random(seed).nest();
    Enumeration real = enumerate(n);
    if (!real.defined)
      continue;
    ++checked;
    Interval got = n.evaluate();
    if (!got.known)
      continue;
    ++known;
    if (real.hull.empty())
      continue;
    ASSERT_LE(got.lo, real.hull.lo) << "seed " << seed;
    ASSERT_GE(got.hi, real.hull.hi) << "seed " << seed;
    tight += got.lo == real.hull.lo && got.hi == real.hull.hi;
  }
  EXPECT_GT(checked, 20000u);
  EXPECT_GT(known, checked * 8 / 10);
  EXPECT_GT(tight, known / 4);
}

TEST(Extent, TripCountsOfRandomNestsAreUpperBounds) {
  for (uint64_t seed = 0; seed < 20000; ++seed) {
    Nest n = Random(seed).nest();
    n.conditions.clear();
    n.index = num(0);
    Enumeration real = enumerate(n);
    Interval trips = n.trips();
    if (real.defined && trips.known && real.longest <= 200) {
      ASSERT_GE(trips.hi, real.longest) << "seed " << seed;
    }
  }
}

/// Nothing to compare with; the sanitizers' build checks that nothing
/// overflows.
TEST(Extent, ExtremeScalarsAreHarmless) {
  static const int64_t extremes[] = {
      INT64_MIN, INT64_MIN + 1,   INT64_MAX, INT64_MAX - 1, -1, 0,
      1,         int64_t(1) << 62};
  for (uint64_t seed = 0; seed < 20000; ++seed) {
    Random r(seed);
    Nest n = r.nest();
    for (int64_t &scalar : n.scalars)
      scalar = extremes[r.pick(0, 7)];
    for (TestLoop &l : n.loops)
      if (r.chance(20))
        l.step = par(0);
    n.evaluate();
    n.trips();
  }
}

TEST(Extent, AffineRectanglesAreExact) {
  for (uint64_t seed = 0; seed < 20000; ++seed) {
    Random r(seed);
    Nest n;
    n.scalars = {r.pick(1, 9), r.pick(1, 6)};
    for (unsigned d = 0; d < 3; ++d) {
      int64_t first = r.pick(-3, 3), step = r.pick(1, 3);
      n.loops.push_back({num(first), num(first + r.pick(0, 7)), num(step)});
      if (r.chance(30)) {
        std::swap(n.loops[d].first, n.loops[d].last);
        n.loops[d].step = num(-step);
      }
    }
    n.index = r.affine(3);
    Enumeration real = enumerate(n);
    Interval got = n.evaluate();
    ASSERT_TRUE(got.known);
    ASSERT_EQ(got.lo, real.hull.lo) << "seed " << seed;
    ASSERT_EQ(got.hi, real.hull.hi) << "seed " << seed;
  }
}

} // namespace
