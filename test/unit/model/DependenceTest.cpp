// DependenceTester: tables of loop nests and pairs of subscripts.
#include "model/Dependence.h"

#include <gtest/gtest.h>

using namespace autokernel;

namespace {

/// A nest of loops over counters 0, 1, ...; parameters 0.. are n, m, k.
class Dependence : public ::testing::Test {
protected:
  ValueTable t;
  std::vector<TestedLoop> loops;
  std::vector<unsigned> path;

  Value num(int64_t v) { return t.constant(v); }
  Value add(Value a, Value b) { return t.combine(Op::Add, a, b); }
  Value sub(Value a, Value b) { return t.combine(Op::Sub, a, b); }
  Value mul(Value a, Value b) { return t.combine(Op::Mul, a, b); }
  Value i() { return t.counter(0); }
  Value j() { return t.counter(1); }
  Value n() { return t.param(0); }
  Value m() { return t.param(1); }

  /// for (c = first; c <= last; c += step)
  void loop(Value first, Value last, int64_t step = 1) {
    path.push_back(loops.size());
    loops.push_back({first, last, step});
  }
  /// for (c = 0; c < bound; ++c)
  void upTo(Value bound) { loop(num(0), sub(bound, num(1))); }

  ConflictAnswer test(unsigned l, Value a, Value b,
                      std::vector<Value> conditions = {}) {
    return DependenceTester(t, loops).test(l, {a, path, conditions},
                                           {b, path, conditions});
  }
  bool parallel(unsigned l, Value a, Value b,
                std::vector<Value> conditions = {}) {
    return test(l, a, b, conditions).conflict == Conflict::None;
  }
};

TEST_F(Dependence, OneLoop) {
  upTo(n());
  struct Case {
    const char *what;
    Value write, read;
    bool parallel;
    int64_t distance; // 0: none
  };
  Case cases[] = {
      {"y[i], y[i]", i(), i(), true, 0},
      {"y[i], y[i + 1]", i(), add(i(), num(1)), false, 1},
      {"y[i], y[i - 1]", i(), sub(i(), num(1)), false, 1},
      {"y[i], y[i - 3]", i(), sub(i(), num(3)), false, 3},
      {"y[2i], y[2i + 1]", mul(i(), num(2)), add(mul(i(), num(2)), num(1)),
       true, 0},
      {"y[2i], y[2i + 4]", mul(i(), num(2)), add(mul(i(), num(2)), num(4)),
       false, 2},
      {"y[2i], y[i]", mul(i(), num(2)), i(), false, 0},
      {"y[i], y[n - 1 - i]", i(), sub(sub(n(), num(1)), i()), false, 0},
      {"y[0], y[0]", num(0), num(0), false, 0},
      {"y[n], y[n]", n(), n(), false, 0},
      {"y[i], y[i + n]", i(), add(i(), n()), true, 0},
      {"y[3i], y[3i + 7]", mul(i(), num(3)), add(mul(i(), num(3)), num(7)),
       true, 0},
  };
  for (const Case &c : cases) {
    ConflictAnswer a = test(0, c.write, c.read);
    EXPECT_EQ(a.conflict == Conflict::None, c.parallel) << c.what;
    if (c.distance) {
      ASSERT_TRUE(a.distance) << c.what;
      EXPECT_EQ(std::abs(*a.distance), c.distance) << c.what;
    }
    EXPECT_TRUE(a.guards.empty()) << c.what;
  }
}

TEST_F(Dependence, ConstantBoundsDecide) {
  upTo(num(10));
  EXPECT_TRUE(parallel(0, i(), add(i(), num(10))));
  EXPECT_FALSE(parallel(0, i(), add(i(), num(9))));
  EXPECT_TRUE(parallel(0, i(), sub(i(), num(10))));
}

TEST_F(Dependence, StepsCount) {
  loop(num(0), sub(n(), num(1)), 2);
  EXPECT_TRUE(parallel(0, i(), add(i(), num(1))));
  EXPECT_FALSE(parallel(0, i(), add(i(), num(2))));
}

TEST_F(Dependence, DownCountingLoops) {
  loop(sub(n(), num(1)), num(0), -1);
  EXPECT_TRUE(parallel(0, i(), i()));
  EXPECT_FALSE(parallel(0, i(), add(i(), num(1))));
  loops[0].step = -3;
  EXPECT_TRUE(parallel(0, i(), add(i(), num(1))));
  EXPECT_FALSE(parallel(0, i(), add(i(), num(3))));
}

TEST_F(Dependence, UnknownStepOrBoundsAreNoProof) {
  loops.push_back({t.unknown(), t.unknown(), 0});
  path = {0};
  EXPECT_TRUE(parallel(0, i(), i())); // whatever the range, i differs
  EXPECT_FALSE(parallel(0, i(), add(i(), num(1))));
  EXPECT_FALSE(parallel(0, t.unknown(), i()));
  EXPECT_FALSE(parallel(0, i(), t.unknown()));
}

TEST_F(Dependence, RowMajorNeedsAGuard) {
  upTo(n());
  upTo(m());
  Value at = add(mul(i(), m()), j());
  ConflictAnswer outer = test(0, at, at), inner = test(1, at, at);
  EXPECT_EQ(outer.conflict, Conflict::None);
  EXPECT_FALSE(outer.guards.empty()); // 0 <= j < m
  EXPECT_EQ(inner.conflict, Conflict::None);
}

TEST_F(Dependence, ConstantRowsNeedNoGuard) {
  upTo(n());
  upTo(num(40));
  Value at = add(mul(i(), num(40)), j());
  ConflictAnswer answer = test(0, at, at);
  EXPECT_EQ(answer.conflict, Conflict::None);
  EXPECT_TRUE(answer.guards.empty());
  Value narrow = add(mul(i(), num(39)), j());
  EXPECT_FALSE(parallel(0, narrow, narrow));
  EXPECT_TRUE(parallel(1, narrow, narrow));
}

TEST_F(Dependence, StencilRows) {
  upTo(n());
  upTo(m());
  Value at = add(mul(i(), m()), j());
  Value above = add(mul(sub(i(), num(1)), m()), j());
  Value left = sub(at, num(1));
  EXPECT_FALSE(parallel(0, at, above));
  EXPECT_TRUE(parallel(1, at, above)); // outer counters are equal
  EXPECT_FALSE(parallel(1, at, left));
}

TEST_F(Dependence, ThreeDimensions) {
  upTo(n());
  upTo(m());
  upTo(t.param(2));
  Value at = add(mul(add(mul(i(), m()), j()), t.param(2)), t.counter(2));
  for (unsigned l : {0u, 1u, 2u})
    EXPECT_TRUE(parallel(l, at, at)) << l;
  Value transposed =
      add(mul(add(mul(j(), n()), i()), t.param(2)), t.counter(2));
  EXPECT_TRUE(parallel(0, transposed, transposed));
}

TEST_F(Dependence, TriangularInPlace) {
  // for i, for j < i: a[i] against a[j]
  upTo(n());
  loop(num(0), sub(i(), num(1)));
  EXPECT_FALSE(parallel(0, i(), j()));
  // In one outer iteration j never reaches i, and a[i] stays the same place.
  EXPECT_TRUE(parallel(1, j(), i()));
}

TEST_F(Dependence, ConditionsRestrict) {
  upTo(n());
  Value half = t.param(1);
  // y[i] written where i >= half, y[i - half] read there: distance half.
  std::vector<Value> upper = {sub(i(), half)};
  EXPECT_FALSE(parallel(0, i(), sub(i(), half), upper));
  // With i < 5 and i >= 5 nothing happens at all.
  std::vector<Value> never = {sub(i(), num(5)), sub(num(4), i())};
  EXPECT_TRUE(parallel(0, num(0), num(0), never));
  // Only i == 7 writes.
  std::vector<Value> once = {sub(i(), num(7)), sub(num(7), i())};
  EXPECT_TRUE(parallel(0, num(0), num(0), once));
}

TEST_F(Dependence, DataIndicesMayRepeat) {
  upTo(n());
  Value data = t.element(3, i());
  EXPECT_FALSE(parallel(0, data, data));
  EXPECT_FALSE(parallel(0, add(data, i()), add(data, i())));
}

TEST_F(Dependence, QuotientsRepeat) {
  upTo(n());
  Value half = t.combine(Op::Div, i(), num(2));
  EXPECT_FALSE(parallel(0, half, half));
  Value rest = t.combine(Op::Rem, i(), num(16));
  EXPECT_FALSE(parallel(0, rest, rest));
}

TEST_F(Dependence, QuotientOfParametersIsAStride) {
  upTo(n());
  Value rows = t.combine(Op::Div, m(), num(8));
  Value at = mul(i(), rows);
  ConflictAnswer answer = test(0, at, at);
  // i * (m / 8) repeats when m / 8 is 0: only with a guard.
  if (answer.conflict == Conflict::None) {
    EXPECT_FALSE(answer.guards.empty());
  }
}

TEST_F(Dependence, StrideMayBeZero) {
  upTo(n());
  Value at = mul(i(), m());
  ConflictAnswer answer = test(0, at, at);
  if (answer.conflict == Conflict::None) {
    EXPECT_FALSE(answer.guards.empty()); // m may be 0
  }
}

TEST_F(Dependence, GuardsComeOnlyWithAProof) {
  upTo(n());
  upTo(m());
  Value at = add(mul(i(), m()), j()), next = add(at, num(1));
  ConflictAnswer answer = test(1, at, next);
  EXPECT_EQ(answer.conflict, Conflict::Possible);
  EXPECT_TRUE(answer.guards.empty());
}

/// Everything small, against enumeration: the answer None must be true
/// whenever the guards hold.
TEST_F(Dependence, SoundOnSmallNests) {
  upTo(n());
  upTo(m());
  for (int64_t ai = -2; ai <= 2; ++ai)
    for (int64_t am = 0; am <= 2; ++am)
      for (int64_t aj = -1; aj <= 1; ++aj)
        for (int64_t offset = -1; offset <= 1; ++offset) {
          auto index = [&](int64_t plus) {
            return add(add(add(mul(num(ai), i()), mul(num(am), mul(i(), m()))),
                           mul(num(aj), j())),
                       num(plus));
          };
          Value a = index(0), b = index(offset);
          ConflictAnswer answer = test(0, a, b);
          if (answer.conflict != Conflict::None)
            continue;
          for (int64_t rows = 0; rows <= 4; ++rows)
            for (int64_t columns = 0; columns <= 4; ++columns) {
              int64_t scalars[] = {rows, columns};
              std::vector<LoopCode> codes;
              for (const TestedLoop &l : loops)
                codes.push_back(
                    {{l.first.code.data(), unsigned(l.first.code.size())},
                     {l.last.code.data(), unsigned(l.last.code.size())},
                     {}});
              static const Instr one[] = {{Op::Const, 1}};
              for (LoopCode &c : codes)
                c.step = {one, 1};
              Env env{scalars, nullptr, codes.data()};
              bool hold = true;
              for (const RangeGuard &g : answer.guards) {
                auto range = [&](const IndexExpr &e) {
                  return rangeOf(env, {e.code.data(), unsigned(e.code.size())},
                                 g.path.data(), g.path.size());
                };
                Interval value = range(g.value), below = range(g.below);
                hold &= value.empty() || (value.known && below.known &&
                                          value.lo >= 0 && value.hi < below.lo);
              }
              if (!hold)
                continue;
              auto at = [&](int64_t i, int64_t j, int64_t plus) {
                return ai * i + am * i * columns + aj * j + plus;
              };
              for (int64_t i1 = 0; i1 < rows; ++i1)
                for (int64_t i2 = 0; i2 < rows; ++i2)
                  for (int64_t j1 = 0; j1 < columns; ++j1)
                    for (int64_t j2 = 0; j2 < columns; ++j2)
                      if (i1 != i2) {
                        ASSERT_NE(at(i1, j1, 0), at(i2, j2, offset))
                            << ai << " " << am << " " << aj << " " << offset
                            << " n=" << rows << " m=" << columns;
                      }
            }
        }
}

} // namespace
