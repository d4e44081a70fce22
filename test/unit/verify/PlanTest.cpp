// The cases that a contract gives.

#include "verify/Plan.h"
#include "Contracts.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <cstring>
#include <set>

using namespace autokernel;
using namespace autokernel::tests;

namespace {

std::vector<Case> planOf(const Contract &c, uint64_t seed = 1) {
  Tables tables(c);
  PlanOptions options;
  options.seed = seed;
  return planCases(c, tables, options);
}

std::string textOf(const std::vector<Case> &cases) {
  std::string out;
  for (const Case &c : cases)
    out += toJson(c).dump() + "\n";
  return out;
}

TEST(Plan, OneSizeMeetsTheEdges) {
  std::set<int64_t> sizes;
  for (const Case &c : planOf(mapContract()))
    sizes.insert(c.integers[0]);
  for (int64_t n :
       {0, 1, 2, 31, 32, 33, 127, 128, 129, 255, 256, 257, 1023, 1024, 1025})
    EXPECT_TRUE(sizes.count(n)) << n;
  EXPECT_GE(*sizes.rbegin(), 100000);
}

TEST(Plan, AllRegimesAppear) {
  std::set<Regime> regimes;
  for (const Case &c : planOf(mapContract()))
    regimes.insert(c.regime);
  EXPECT_EQ(regimes.size(), RegimeCount);
}

TEST(Plan, FastMathHasNoNaN) {
  Contract contract = mapContract();
  contract.floats.fastMath = true;
  for (const Case &c : planOf(contract)) {
    EXPECT_NE(c.regime, Regime::NaN);
    EXPECT_NE(c.regime, Regime::Infinite);
  }
}

TEST(Plan, GuardsAndAssumptionsHold) {
  auto cases = planOf(gatherContract());
  ASSERT_FALSE(cases.empty());
  for (const Case &c : cases) {
    EXPECT_LE(c.integers[0], c.integers[1]); // the guard
    EXPECT_GE(c.integers[1], 1);             // the assumption
  }
}

TEST(Plan, NothingFitsAnImpossibleContract) {
  Contract contract = mapContract();
  contract.assumptions = {expr("0 1 -")};
  EXPECT_TRUE(planOf(contract).empty());
}

TEST(Plan, FollowsFromTheSeed) {
  Contract contract = gatherContract();
  EXPECT_EQ(textOf(planOf(contract, 5)), textOf(planOf(contract, 5)));
  EXPECT_NE(textOf(planOf(contract, 5)), textOf(planOf(contract, 6)));
}

/// The largest value of idx in a case.
int64_t largestIndex(const Contract &contract, const Case &c) {
  Tables tables(contract);
  auto inputs = makeInputs(contract, tables, c, 1 << 20, 2.5e6);
  int32_t most = -1;
  for (int64_t i = 0; inputs && i < inputs->arrays[2].count; ++i) {
    int32_t v;
    std::memcpy(&v, inputs->arrays[2].bytes.data() + 4 * i, 4);
    most = std::max(most, v);
  }
  return most;
}

TEST(Plan, IndicesReachTheLastElement) {
  Contract contract = gatherContract();
  unsigned reached = 0;
  for (const Case &c : planOf(contract))
    reached +=
        c.integers[1] > 100 && largestIndex(contract, c) == c.integers[1] - 1;
  EXPECT_GE(reached, 3u);
}

TEST(Plan, IntegersOfAllMagnitudes) {
  Contract contract = mapContract();
  for (Param &p : contract.params)
    if (p.isArray)
      p.type = Int32;
  auto extremes = [](const std::vector<Case> &cases) {
    return std::count_if(cases.begin(), cases.end(),
                         [](const Case &c) { return c.extremes; });
  };
  EXPECT_GE(extremes(planOf(contract)), 5);
  // What sums fit in the loop's order, so that the case isn't undefined.
  contract.loops[0].reductions = {{"sum", "+", Int32}};
  std::vector<Case> cases = planOf(contract);
  EXPECT_GE(extremes(cases), 5);
  for (const Case &c : cases)
    if (c.extremes)
      EXPECT_EQ(c.regime, Regime::Cancellation);
}

} // namespace
