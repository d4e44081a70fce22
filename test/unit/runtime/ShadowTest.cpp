#include "Shadow.h"
#include "FakeDevice.h"
#include "Regions.h"
#include "Settings.h"

#include <gtest/gtest.h>

#include <cmath>

namespace autokernel::runtime {
namespace {

constexpr ParamInfo FloatArray = {"y",   Kind::Float, 4,     true, Role::Out,
                                  false, false,       false, {}};
constexpr ParamInfo IntArray = {"y",   Kind::Int, 4,     true, Role::Out,
                                false, false,     false, {}};

template <class T>
Comparison compare(const ParamInfo &p, std::vector<T> kernel,
                   std::vector<T> loop, double ulps = 16, double relative = 0) {
  return compareResults(p, reinterpret_cast<char *>(kernel.data()),
                        reinterpret_cast<char *>(loop.data()), loop.size(),
                        ulps, relative);
}

TEST(Compare, EqualIsZeroOfTheBound) {
  Comparison c = compare<float>(FloatArray, {1, 2, 0}, {1, 2, 0});
  EXPECT_EQ(c.mismatches, 0u);
  EXPECT_EQ(c.worst, 0);
}

TEST(Compare, BoundScalesWithTheLargestMagnitude) {
  float e = std::numeric_limits<float>::epsilon();
  Comparison c = compare<float>(FloatArray, {8 * e, 1}, {0, 1});
  EXPECT_EQ(c.mismatches, 0u);
  EXPECT_DOUBLE_EQ(c.worst, 0.5);
  c = compare<float>(FloatArray, {0, 1 + 32 * e}, {0, 1});
  EXPECT_EQ(c.mismatches, 1u);
  EXPECT_EQ(c.worstAt, 1u);
}

TEST(Compare, NanAndInfinityMustAgree) {
  float nan = NAN, inf = INFINITY;
  EXPECT_EQ(compare<float>(FloatArray, {nan, inf}, {nan, inf}).mismatches, 0u);
  EXPECT_EQ(compare<float>(FloatArray, {nan, 1}, {1, nan}).mismatches, 2u);
  EXPECT_EQ(compare<float>(FloatArray, {inf, -inf}, {-inf, 1e30f}).mismatches,
            2u);
  EXPECT_TRUE(std::isinf(compare<float>(FloatArray, {nan}, {1}).worst));
}

TEST(Compare, IntegersAndExactContractsAreBitwise) {
  EXPECT_EQ(compare<int>(IntArray, {1, 2, 3}, {1, 5, 3}).mismatches, 1u);
  float e = std::numeric_limits<float>::epsilon();
  EXPECT_EQ(compare<float>(FloatArray, {1 + e}, {1}, 0).mismatches, 1u);
}

TEST(Compare, TheUsersToleranceReplacesTheBound) {
  EXPECT_EQ(compare<float>(FloatArray, {1.05f}, {1}, 16, 0.1).mismatches, 0u);
  EXPECT_EQ(compare<float>(FloatArray, {1.2f}, {1}, 16, 0.1).mismatches, 1u);
}

struct Shadow : testing::Test {
  FakeDevice device;
  Saxpy saxpy;
  std::vector<float> x = std::vector<float>(1000, 1.5f),
                     y = std::vector<float>(1000, 2.0f);
  std::string errors;

  Shadow() { set(Mode::Shadow); }
  ~Shadow() override {
    useSettings({});
    forgetReports();
  }
  void set(Mode mode, uint64_t first = 0) {
    Settings s;
    s.mode = mode;
    s.shadowFirst = first;
    useSettings(s);
  }
  /// As the rewritten source does it.
  int run() {
    testing::internal::CaptureStderr();
    int outcome = saxpy.call(1000, 2, x.data(), y.data());
    if (outcome != Done)
      for (int i = 0; i < 1000; ++i)
        y[i] = 2 * x[i] + y[i];
    if (outcome == RunLoopAndCompare)
      compareShadow(saxpy.region);
    errors += testing::internal::GetCapturedStderr();
    return outcome;
  }
  std::string report() { return reportLine(saxpy.region, "Fake GPU"); }
  void breakKernel() {
    saxpy.region.info.launch = [](void *const *v, void *, size_t, void *) {
      Saxpy::launch(v, nullptr, 0, nullptr);
      static_cast<float *>(v[3])[37] += 1;
      return 0;
    };
  }
};

TEST_F(Shadow, BothRunOnTheSameInputs) {
  EXPECT_EQ(run(), RunLoopAndCompare);
  EXPECT_EQ(run(), RunLoopAndCompare);
  EXPECT_EQ(y[0], 8); // added to twice, not four times
  EXPECT_EQ(report(), "autokernel: saxpy  2 calls  0 mismatches  worst 0 of "
                      "its bound  (emulator-verified, Fake GPU)");
  EXPECT_EQ(errors, "");
}

TEST_F(Shadow, AMismatchIsFoundAndTheLoopsResultKept) {
  breakKernel();
  EXPECT_EQ(run(), RunLoopAndCompare);
  EXPECT_EQ(y[37], 5);
  EXPECT_EQ(saxpy.region.state.mismatches, 1u);
  EXPECT_NE(errors.find("saxpy.cpp:3): y[37] is 6 from the kernel, 5 from the "
                        "loop"),
            std::string::npos)
      << errors;
  EXPECT_NE(report().find("1 call  1 mismatch  "), std::string::npos);
}

TEST_F(Shadow, ManagedMemoryIsLeftToTheLoop) {
  device.declare(y.data(), 4000, MemoryKind::Managed);
  EXPECT_EQ(run(), RunLoopAndCompare);
  EXPECT_EQ(y[5], 5);
  EXPECT_EQ(saxpy.region.state.mismatches, 0u);
}

TEST_F(Shadow, FirstCallsOnly) {
  set(Mode::Auto, 2);
  saxpy.region.info.breakEvenElements = 1;
  EXPECT_EQ(run(), RunLoopAndCompare);
  EXPECT_EQ(run(), RunLoopAndCompare);
  EXPECT_EQ(run(), Done);
}

TEST_F(Shadow, AKernelThatDifferedAtFirstIsNotUsedLater) {
  set(Mode::Auto, 1);
  saxpy.region.info.breakEvenElements = 1;
  breakKernel();
  EXPECT_EQ(run(), RunLoopAndCompare);
  EXPECT_EQ(run(), RunLoop);
}

TEST_F(Shadow, TheReportSaysWhyNothingWasCompared) {
  device.devices = 0;
  EXPECT_EQ(run(), RunLoop);
  EXPECT_EQ(report(),
            "autokernel: saxpy  1 calls  none compared: no usable device");
}

TEST_F(Shadow, NumbersAreGrouped) {
  saxpy.region.state.compared = 1024;
  EXPECT_NE(report().find("  1,024 calls  "), std::string::npos);
}

} // namespace
} // namespace autokernel::runtime
