// The comparator: what must never pass, and what must.
#include "verify/oracle/Bound.h"
#include "gtest/gtest.h"
#include <limits>

using namespace autokernel;
using Reason = CompareResult::Reason;

namespace {

constexpr double NaN = std::numeric_limits<double>::quiet_NaN();
constexpr double Inf = std::numeric_limits<double>::infinity();
const TwinValue One{1.0L, 1.0, 0x1p-24, true};

Reason why(double Got, double Loop, TwinValue Twin = One) {
  return compareElement(Got, Loop, Twin, FloatKind::Float).Why;
}

TEST(Bound, NaNPassesOnlyAgainstNaN) {
  EXPECT_EQ(why(NaN, 1), Reason::WrongNaN);
  EXPECT_EQ(why(1, NaN), Reason::WrongNaN);
  EXPECT_EQ(why(Inf, NaN), Reason::WrongNaN);
  EXPECT_EQ(why(NaN, Inf), Reason::WrongNaN);
  EXPECT_EQ(why(NaN, NaN), Reason::Equal);
}

TEST(Bound, InfinityNeedsTheSameSign) {
  EXPECT_EQ(why(Inf, Inf), Reason::Equal);
  EXPECT_EQ(why(-Inf, Inf), Reason::WrongInfinity);
  EXPECT_EQ(why(3e38, Inf), Reason::WrongInfinity);
  EXPECT_EQ(why(Inf, 3e38), Reason::WrongInfinity);
}

TEST(Bound, BrokenTwinFallsBackToTheLoopItself) {
  for (TwinValue Broken :
       {TwinValue{NaN, 1, 0, true}, TwinValue{1, 1, Inf, true},
        TwinValue{1, 1, NaN, true}, TwinValue{}}) {
    EXPECT_EQ(why(1.5, 1, Broken), Reason::NotExact);
    EXPECT_EQ(why(1, 1, Broken), Reason::Equal);
    EXPECT_EQ(why(NaN, 1, Broken), Reason::WrongNaN);
  }
}

TEST(Bound, ExactLoopWantsExactKernel) {
  TwinValue Copy{2.0L, 2.0, 0, true};
  EXPECT_EQ(why(2, 2, Copy), Reason::Equal);
  EXPECT_EQ(why(2 + 0x1p-22, 2, Copy), Reason::NotExact);
}

TEST(Bound, GrowsWithTheLoopsOwnErrorAndNoFurther) {
  double Bound = acceptBound(One, 0, FloatKind::Float);
  EXPECT_GE(Bound, 8 * 0x1p-24);
  EXPECT_LE(Bound, 16 * 0x1p-24);
  EXPECT_EQ(why(1 + Bound * 0.9, 1), Reason::WithinBound);
  EXPECT_EQ(why(1 + Bound * 1.1, 1), Reason::TooFar);
  EXPECT_GE(acceptBound(One, 1e-3, FloatKind::Float), 4e-3);
}

TEST(Bound, OnePrecisionLowerIsOutside) {
  double HalfRounding = 0x1p-12, FloatRounding = 0x1p-25;
  EXPECT_EQ(why(1 + HalfRounding, 1), Reason::TooFar);
  TwinValue Double{1.0L, 1.0, 0x1p-53, true};
  EXPECT_EQ(compareElement(1 + FloatRounding, 1, Double, FloatKind::Double).Why,
            Reason::TooFar);
}

} // namespace
