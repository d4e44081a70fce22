// What the arrays of a case hold.

#include "Contracts.h"
#include "verify/Case.h"
#include "gtest/gtest.h"

#include <cstring>
#include <set>

using namespace autokernel;
using namespace autokernel::tests;

namespace {

Case gatherCase(int64_t n, int64_t m) {
  Case c;
  c.integers = {n, m, 0, 0, 0};
  c.reals.assign(5, 0);
  c.indexBound = 16;
  return c;
}

std::optional<InputSet> inputsOf(const Contract &contract, const Case &c) {
  Tables tables(contract);
  return makeInputs(contract, tables, c, 1 << 16, 1e6);
}

TEST(Inputs, IndicesStayInRange) {
  for (Indices kind : {Indices::Random, Indices::Equal, Indices::Ascending,
                       Indices::Descending}) {
    Case c = gatherCase(50, 60);
    c.indices = kind;
    auto set = inputsOf(gatherContract(), c);
    ASSERT_TRUE(set);
    ASSERT_EQ(set->arrays[2].count, 50);
    for (int i = 0; i < 50; ++i) {
      int32_t v;
      std::memcpy(&v, set->arrays[2].bytes.data() + 4 * i, 4);
      EXPECT_GE(v, 0);
      EXPECT_LT(v, c.indexBound);
    }
  }
}

TEST(Inputs, DeclaredExtentsDecide) {
  auto set = inputsOf(gatherContract(), gatherCase(5, 40));
  ASSERT_TRUE(set);
  EXPECT_EQ(set->arrays[3].lo, 0);
  EXPECT_EQ(set->arrays[3].count, 40);
  EXPECT_EQ(set->arrays[4].count, 5);
}

TEST(Inputs, IndicesPastAnExtentAreOutside) {
  Case c = gatherCase(5, 8);
  c.indices = Indices::Equal; // all 15, but x has 8 elements
  EXPECT_FALSE(inputsOf(gatherContract(), c));
}

/// for i < n: y[idx[i]] = x[i].
Contract permuteContract() {
  Contract c = gatherContract();
  c.params[3].nullable = false;
  c.params[4].extent = expr("n1");
  c.accesses = {access("idx", false, "i0"), access("x", false, "i0"),
                access("y", true, "d2")};
  c.loops[0].order = Order::Claimed;
  return c;
}

TEST(Inputs, ClaimedIterationsWriteEachPlaceOnce) {
  for (Indices kind : {Indices::Random, Indices::Equal, Indices::Ascending,
                       Indices::Descending}) {
    Case c = gatherCase(40, 40);
    c.indices = kind;
    auto set = inputsOf(permuteContract(), c);
    ASSERT_TRUE(set);
    std::set<int32_t> places;
    for (int i = 0; i < 40; ++i) {
      int32_t v;
      std::memcpy(&v, set->arrays[2].bytes.data() + 4 * i, 4);
      places.insert(v);
    }
    EXPECT_EQ(places.size(), 40u);
  }
}

TEST(Inputs, NullArrays) {
  Case c = gatherCase(5, 40);
  c.nulls = true;
  auto set = inputsOf(gatherContract(), c);
  ASSERT_TRUE(set);
  EXPECT_TRUE(set->arrays[3].isNull);
  EXPECT_FALSE(set->arrays[4].isNull);
}

TEST(Inputs, GuardsAndSizesDecide) {
  EXPECT_FALSE(inputsOf(gatherContract(), gatherCase(41, 40)));
  EXPECT_FALSE(inputsOf(gatherContract(), gatherCase(1, 1 << 20)));
}

TEST(Inputs, SameCaseSameBytes) {
  auto a = inputsOf(gatherContract(), gatherCase(50, 60));
  auto b = inputsOf(gatherContract(), gatherCase(50, 60));
  ASSERT_TRUE(a && b);
  for (size_t p = 0; p < a->arrays.size(); ++p)
    EXPECT_EQ(a->arrays[p].bytes, b->arrays[p].bytes);
}

TEST(Tables, TouchedRange) {
  Contract contract = mapContract();
  Tables tables(contract);
  std::vector<int64_t> scalars = {10, 0, 0};
  std::vector<Interval> data(3, Interval{0, 0, false});
  Interval range = tables.touchedBy(tables.env(scalars, data), 2);
  EXPECT_TRUE(range.known);
  EXPECT_EQ(range.lo, 0);
  EXPECT_EQ(range.hi, 9);
}

} // namespace
