#include "Settings.h"

#include <gtest/gtest.h>

namespace autokernel::runtime {
namespace {

TEST(Settings, NothingSetMeansAuto) {
  Settings s = parseSettings(nullptr, nullptr, nullptr);
  EXPECT_EQ(s.mode, Mode::Auto);
  EXPECT_EQ(s.shadowFirst, 0u);
  EXPECT_TRUE(s.trace.empty());
  EXPECT_TRUE(s.complaint.empty());
}

TEST(Settings, Modes) {
  EXPECT_EQ(parseSettings("auto", nullptr, nullptr).mode, Mode::Auto);
  EXPECT_EQ(parseSettings("off", nullptr, nullptr).mode, Mode::Off);
  EXPECT_EQ(parseSettings("force", nullptr, nullptr).mode, Mode::Force);
  EXPECT_EQ(parseSettings("shadow", nullptr, nullptr).mode, Mode::Shadow);
}

TEST(Settings, UnknownModeRunsTheLoopsAndSaysSo) {
  Settings s = parseSettings("Force!", nullptr, nullptr);
  EXPECT_EQ(s.mode, Mode::Off);
  EXPECT_NE(s.complaint.find("Force!"), std::string::npos);
}

TEST(Settings, ShadowOfTheFirstCalls) {
  EXPECT_EQ(parseSettings(nullptr, "first:12", nullptr).shadowFirst, 12u);
  for (const char *wrong : {"12", "first:", "first:x", "first:3x", "last:3"}) {
    Settings s = parseSettings(nullptr, wrong, nullptr);
    EXPECT_EQ(s.shadowFirst, 0u) << wrong;
    EXPECT_FALSE(s.complaint.empty()) << wrong;
  }
}

TEST(Settings, Trace) {
  EXPECT_EQ(parseSettings(nullptr, nullptr, "a b.json").trace, "a b.json");
}

} // namespace
} // namespace autokernel::runtime
