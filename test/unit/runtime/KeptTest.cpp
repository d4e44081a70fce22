// Arrays that stay on the device between regions.
#define AUTOKERNEL_RUNTIME
#include "Kept.h"
#include "FakeDevice.h"
#include "Regions.h"
#include "Settings.h"
#include "Shadow.h"
#include "autokernel/data.h"

#include <gtest/gtest.h>

namespace autokernel::runtime {
namespace {

struct KeptArrays : testing::Test {
  FakeDevice device;
  Saxpy saxpy;
  std::vector<float> x = std::vector<float>(1000, 1), y = x;

  KeptArrays() { set(Mode::Force); }
  ~KeptArrays() override {
    useSettings({});
    forgetReports();
  }
  void set(Mode mode) {
    Settings s;
    s.mode = mode;
    useSettings(s);
  }
  /// As the rewritten source does it.
  int run(int n = 1000) {
    int outcome = saxpy.call(n, 1, x.data(), y.data());
    if (outcome != Done)
      for (int i = 0; i < n; ++i)
        y[i] = x[i] + y[i];
    if (outcome == RunLoopAndCompare)
      compareShadow(saxpy.region);
    return outcome;
  }
};

TEST_F(KeptArrays, CopiedOnceInEachDirection) {
  {
    kept<float> keepX(x.data(), 1000), keepY(y.data(), 1000);
    for (int i = 0; i < 5; ++i)
      EXPECT_EQ(run(), Done);
    EXPECT_EQ(y[0], 1); // out of date
    EXPECT_EQ(device.count("copy in"), 2u);
    EXPECT_EQ(device.count("copy out"), 0u);
  }
  EXPECT_EQ(y[0], 6);
  EXPECT_EQ(y[999], 6);
  EXPECT_EQ(device.count("copy out"), 1u);
  EXPECT_FALSE(anyKept());
}

TEST_F(KeptArrays, HostCodeReads) {
  kept<float> keepY(y.data(), 1000);
  run();
  EXPECT_EQ(keepY.read()[500], 2);
  run();
  EXPECT_EQ(keepY.read()[500], 3);
  keepY.read();
  EXPECT_EQ(device.count("copy out"), 2u);
}

TEST_F(KeptArrays, HostCodeWrites) {
  kept<float> keepY(y.data(), 1000);
  run();
  keepY.write()[3] = 10;
  run();
  EXPECT_EQ(keepY.read()[3], 11);
  EXPECT_EQ(keepY.read()[4], 3);
}

TEST_F(KeptArrays, LoopsInBetweenSeeAndChangeTheValues) {
  kept<float> keepX(x.data(), 1000), keepY(y.data(), 1000);
  run();
  set(Mode::Auto); // 10 iterations pay for nothing
  saxpy.region.info.breakEvenElements = 500;
  saxpy.params[2].nullable = true;
  EXPECT_EQ(saxpy.call(10, 1, y.data(), y.data()), RunLoop); // overlap
  EXPECT_EQ(y[0], 2);
  y[0] = 7; // what that loop does
  set(Mode::Force);
  run();
  EXPECT_EQ(keepY.read()[0], 8);
  EXPECT_EQ(keepY.read()[1], 3);
}

TEST_F(KeptArrays, AreComparedInShadowRuns) {
  kept<float> keepX(x.data(), 1000), keepY(y.data(), 1000);
  run();
  set(Mode::Shadow);
  EXPECT_EQ(run(), RunLoopAndCompare);
  EXPECT_EQ(y[0], 3);
  EXPECT_EQ(saxpy.region.state.mismatches, 0u);
  EXPECT_EQ(saxpy.region.state.compared, 1u);
  set(Mode::Force);
  EXPECT_EQ(run(), Done);
  EXPECT_EQ(keepY.read()[0], 4);
}

TEST_F(KeptArrays, APartIsFoundAndMoreIsNot) {
  kept<float> keepY(y.data() + 100, 500);
  EXPECT_EQ(saxpy.call(10, 1, x.data(), y.data() + 200), Done);
  EXPECT_EQ(y[200], 1);
  EXPECT_EQ(keepY.read()[100], 2);
  EXPECT_EQ(saxpy.call(900, 1, x.data(), y.data() + 1), Done);
}

TEST_F(KeptArrays, AFailureBeforeAnythingChangedIsTheLoopsTurn) {
  set(Mode::Auto);
  saxpy.region.info.breakEvenElements = 1;
  kept<float> keepY(y.data(), 1000);
  device.failAt("synchronise");
  EXPECT_EQ(run(), RunLoop);
  EXPECT_EQ(keepY.read()[0], 2);
}

TEST_F(KeptArrays, AFailureThatLosesTheValuesIsFatal) {
  kept<float> keepY(y.data(), 1000);
  run();
  device.failAt("synchronise");
  EXPECT_DEATH(run(), "left data half written");
  device.failingCall.clear(); // that was in the child process
}

TEST_F(KeptArrays, WithoutRoomTheyAreStaged) {
  device.memory = 9000; // for two blocks of 4096 bytes at a time
  kept<float> keepX(x.data(), 1000), keepY(y.data(), 1000);
  EXPECT_EQ(run(), Done);
  EXPECT_EQ(keepY.read()[0], 2);
}

} // namespace
} // namespace autokernel::runtime
