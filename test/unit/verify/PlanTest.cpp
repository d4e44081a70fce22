// The cases that a contract gives.

#include "verify/Plan.h"
#include "Contracts.h"
#include "gtest/gtest.h"

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

} // namespace
