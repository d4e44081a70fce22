#include "Guards.h"
#include "FakeDevice.h"
#include "Regions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace autokernel::runtime {
namespace {

Reason check(Saxpy &s, int n, const float *x, float *y, Plan &plan) {
  float a = 2;
  Argument args[] = {scalar(&n), scalar(&a), array(x), array(y)};
  return checkGuards(s.region.info, args, plan);
}

struct Guards : testing::Test {
  FakeDevice device;
  Saxpy saxpy;
  Plan plan;
  float x[64] = {}, y[64] = {};
};

TEST_F(Guards, AnOrdinaryCallPasses) {
  Reason r = check(saxpy, 64, x, y, plan);
  EXPECT_FALSE(r) << r.what;
  EXPECT_EQ(plan.ranges[2].hi, 63);
  EXPECT_EQ(plan.work, 64);
  EXPECT_TRUE(plan.covered[3]);
}

TEST_F(Guards, NoIterationsIsNothingToDo) {
  EXPECT_FALSE(check(saxpy, 0, x, y, plan));
  EXPECT_TRUE(plan.nothingToDo);
  EXPECT_FALSE(check(saxpy, -3, nullptr, nullptr, plan));
  EXPECT_TRUE(plan.nothingToDo);
}

TEST_F(Guards, OverlapOfAWrittenArray) {
  EXPECT_STREQ(check(saxpy, 32, x, x, plan).what,
               "a written array overlaps another one");
  EXPECT_TRUE(check(saxpy, 33, x, x + 32, plan));
  EXPECT_FALSE(check(saxpy, 32, x, x + 32, plan));
  EXPECT_FALSE(check(saxpy, 32, x + 32, x, plan));
}

TEST_F(Guards, NullPointers) {
  Reason r = check(saxpy, 8, nullptr, y, plan);
  EXPECT_STREQ(r.what, "null pointer");
  EXPECT_STREQ(r.which, "x");
  saxpy.params[2].nullable = true;
  EXPECT_FALSE(check(saxpy, 8, nullptr, y, plan));
  EXPECT_TRUE(plan.ranges[2].empty());
}

TEST_F(Guards, IndicesBeyondWhatWasVerified) {
  saxpy.region.info.largestIndex = 30;
  EXPECT_FALSE(check(saxpy, 31, x, y, plan));
  EXPECT_STREQ(check(saxpy, 32, x, y, plan).what,
               "an index is beyond what the kernel was verified for");
}

TEST_F(Guards, UnknownExtents) {
  AccessCode &a = saxpy.accesses[0];
  a.index = saxpy.b.code({op(Op::Unknown)});
  EXPECT_STREQ(check(saxpy, 8, x, y, plan).what, "the extent is not known");
  saxpy.params[2].extent = saxpy.b.code({constant(20)});
  EXPECT_FALSE(check(saxpy, 8, x, y, plan));
  EXPECT_EQ(plan.ranges[2].hi, 19);
}

TEST_F(Guards, TheUsersExtentLimitsWhatIsCopied) {
  saxpy.params[2].extent = saxpy.b.code({constant(4)});
  EXPECT_FALSE(check(saxpy, 8, x, y, plan));
  EXPECT_EQ(plan.ranges[2].hi, 3);
  saxpy.params[2].extent = saxpy.b.code({constant(40)});
  EXPECT_FALSE(check(saxpy, 8, x, y, plan));
  EXPECT_EQ(plan.ranges[2].hi, 7);
}

TEST_F(Guards, RangeGuards) {
  GuardCode g = {saxpy.b.code({counter(0)}), saxpy.b.code({constant(16)}),
                 saxpy.path, 1, "rows would overlap"};
  saxpy.region.info.guards = &g;
  saxpy.region.info.guardCount = 1;
  EXPECT_FALSE(check(saxpy, 16, x, y, plan));
  EXPECT_STREQ(check(saxpy, 17, x, y, plan).what, "rows would overlap");
}

TEST_F(Guards, Assumptions) {
  Code multipleOf4 = saxpy.b.code(
      {constant(0), param(0), constant(4), op(Op::Rem), op(Op::Sub)});
  saxpy.region.info.assumptions = &multipleOf4;
  saxpy.region.info.assumptionCount = 1;
  EXPECT_FALSE(check(saxpy, 8, x, y, plan));
  EXPECT_TRUE(check(saxpy, 9, x, y, plan));
}

TEST_F(Guards, SizesBeyondSigned64Bits) {
  uint64_t huge = UINT64_MAX;
  float a = 1;
  Argument args[] = {scalar(&huge), scalar(&a), array(x), array(y)};
  EXPECT_STREQ(checkGuards(saxpy.region.info, args, plan).what,
               "a size is beyond 2^63");
}

TEST_F(Guards, HolesAreNotCovered) {
  Code even = saxpy.b.code({counter(0), constant(2), op(Op::Mul)});
  saxpy.accesses[1].index = saxpy.accesses[2].index = even;
  EXPECT_FALSE(check(saxpy, 8, x, y, plan));
  EXPECT_EQ(plan.ranges[3].hi, 14);
  EXPECT_FALSE(plan.covered[3]);
}

TEST_F(Guards, WorkWithoutData) {
  int n = 100;
  float a = 1;
  Argument args[] = {scalar(&n), scalar(&a), array(x), array(y)};
  EXPECT_EQ(estimateWork(saxpy.region.info, args), 100);
  saxpy.loops[0].last = saxpy.b.code({data(2)});
  EXPECT_TRUE(std::isinf(estimateWork(saxpy.region.info, args)));
}

/// for (i = 0; i < n; ++i) y[at[i]] += x[i];  n, at, x, y
struct Scatter : testing::Test {
  FakeDevice device;
  Build b;
  unsigned path[1] = {0};
  ParamInfo params[4] = {
      {"n", Kind::Int, 4, false, Role::In, false, false, false, {}},
      {"at", Kind::Int, 4, true, Role::In, false, false, true, {}},
      {"x", Kind::Float, 4, true, Role::In, false, false, false, {}},
      {"y", Kind::Float, 4, true, Role::InOut, false, false, false, {}}};
  LoopCode loops[1] = {{b.code({constant(0)}),
                        b.code({param(0), constant(1), op(Op::Sub)}),
                        b.code({constant(1)})}};
  LoopFacts facts[1] = {{-1, true}};
  AccessCode accesses[3] = {
      {1, false, b.code({counter(0)}), path, 1, nullptr, 0},
      {2, false, b.code({counter(0)}), path, 1, nullptr, 0},
      {3, true, b.code({data(1)}), path, 1, nullptr, 0}};
  RegionInfo info = {};
  Plan plan;
  float x[4] = {}, y[300] = {};

  Scatter() {
    info.params = params;
    info.paramCount = 4;
    info.loops = loops;
    info.loopFacts = facts;
    info.loopCount = 1;
    info.accesses = accesses;
    info.accessCount = 3;
    info.largestIndex = INT32_MAX;
  }
  Reason check(const void *at) {
    int n = 4;
    Argument args[] = {scalar(&n), array(at), array(x), array(y + 10)};
    return checkGuards(info, args, plan);
  }
};

TEST_F(Scatter, TheIndexArrayIsRead) {
  int at[] = {7, 3, 90, 11};
  EXPECT_FALSE(check(at));
  EXPECT_EQ(plan.ranges[3].lo, 3);
  EXPECT_EQ(plan.ranges[3].hi, 90);
  EXPECT_EQ(plan.depth, 4);
}

TEST_F(Scatter, OtherIndexTypes) {
  params[1].bytes = 8;
  int64_t wide[] = {-2, 5, 1, 0};
  EXPECT_FALSE(check(wide));
  EXPECT_EQ(plan.ranges[3].lo, -2);
  params[1].bytes = 1;
  params[1].kind = Kind::UInt;
  uint8_t narrow[] = {200, 255, 7, 8};
  EXPECT_FALSE(check(narrow));
  EXPECT_EQ(plan.ranges[3].hi, 255);
  params[1].bytes = 8;
  uint64_t beyond[] = {0, 1, 2, UINT64_MAX};
  EXPECT_STREQ(check(beyond).what,
               "the values of an index array can't be read");
}

TEST_F(Scatter, AWrittenIndexArrayIsRefused) {
  int at[] = {0, 1, 2, 3};
  params[1].role = Role::InOut;
  EXPECT_STREQ(check(at).what, "an index array is written");
}

TEST_F(Scatter, AnIndexArrayOnTheDeviceIsCopied) {
  int at[] = {7, 3, 90, 11};
  device.declare(at, sizeof at, MemoryKind::Device);
  EXPECT_FALSE(check(at));
  EXPECT_EQ(plan.ranges[3].hi, 90);
  EXPECT_EQ(device.count("copy out"), 1u);
}

TEST_F(Scatter, IndicesOfIndices) { // y[at[x[i]]], x an index array itself
  params[2] = {"x", Kind::Int, 4, true, Role::In, false, false, true, {}};
  accesses[0].index = b.code({data(2)});
  int at[] = {50, 60, 70, 80};
  int inner[] = {1, 2, 2, 1};
  std::memcpy(x, inner, sizeof inner);
  EXPECT_FALSE(check(at));
  EXPECT_EQ(plan.ranges[1].lo, 1);
  EXPECT_EQ(plan.ranges[1].hi, 2);
  EXPECT_EQ(plan.ranges[3].lo, 60);
  EXPECT_EQ(plan.ranges[3].hi, 70);
}

} // namespace
} // namespace autokernel::runtime
