// How the end of a helper reads and that it comes in time.

#include "verify/Helper.h"
#include "support/Files.h"
#include "gtest/gtest.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sys/stat.h>

using namespace autokernel;

namespace {

HelperEnd endOf(const std::string &script, double seconds) {
  auto folder = llvm::cantFail(TemporaryFolder::make("autokernel-helper"));
  std::string path = folder.file("helper");
  llvm::cantFail(writeFileAtomically(path, "#!/bin/sh\n" + script + "\n"));
  chmod(path.c_str(), 0700);
  setenv("AUTOKERNEL_LIBEXEC", folder.path().c_str(), 1);
  auto helper = llvm::cantFail(Helper::start("helper", folder.path()));
  unsetenv("AUTOKERNEL_LIBEXEC");
  return helper->wait(seconds);
}

TEST(Helper, EndsAreTold) {
  EXPECT_TRUE(endOf("exit 0", 10).good());
  HelperEnd complained = endOf("echo no such thing >&2; exit 3", 10);
  EXPECT_EQ(complained.exitCode, 3);
  EXPECT_EQ(complained.text, "no such thing");
  HelperEnd forbidden = endOf("kill -SYS $$", 10);
  EXPECT_FALSE(forbidden.good());
  EXPECT_FALSE(forbidden.outOfTime);
  EXPECT_EQ(forbidden.text, "tried a forbidden system call");
}

TEST(Helper, TimeRunsOut) {
  auto begin = std::chrono::steady_clock::now();
  HelperEnd end = endOf("while :; do :; done", 0.2);
  EXPECT_TRUE(end.outOfTime);
  EXPECT_EQ(end.text, "ran out of time");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST(Helper, SignalsHaveReasons) {
  EXPECT_EQ(signalText(SIGXCPU), "ran out of time");
  EXPECT_EQ(signalText(SIGXFSZ), "wrote more than the result may hold");
  EXPECT_EQ(signalText(SIGSEGV).rfind("crashed: ", 0), 0u);
}

} // namespace
