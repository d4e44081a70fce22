#include "Trace.h"
#include "FakeDevice.h"
#include "Regions.h"
#include "Settings.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

namespace autokernel::runtime {
namespace {

struct Trace : testing::Test {
  FakeDevice device;
  Saxpy saxpy;
  std::vector<float> x = std::vector<float>(100, 1), y = x;
  Trace() {
    clearTrace();
    set("unused.json");
  }
  ~Trace() override { useSettings({}); }
  void set(const std::string &file) {
    Settings s;
    s.mode = Mode::Force;
    s.trace = file;
    useSettings(s);
  }
};

// Each in a child process, which would write its file at exit.
[[noreturn]] void leave(bool ok) { std::_Exit(ok ? 0 : 1); }

std::vector<std::string> names(const nlohmann::json &trace) {
  std::vector<std::string> all;
  for (const auto &e : trace["traceEvents"])
    all.push_back(e["name"]);
  return all;
}

TEST_F(Trace, PhasesInsideTheDispatch) {
  auto run = [&] {
    saxpy.call(100, 1, x.data(), y.data());
    auto trace = nlohmann::json::parse(traceText());
    const auto &last = trace["traceEvents"].back();
    leave(names(trace) == std::vector<std::string>{"guards", "copy in",
                                                   "kernel", "copy out",
                                                   "dispatch"} &&
          last["args"]["outcome"] == "kernel" &&
          last["args"]["bytes"] == 1200 && last["ph"] == "X");
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

TEST_F(Trace, NamesAreEscaped) {
  auto run = [&] {
    saxpy.region.info.name = "a\"b\\c\n";
    saxpy.call(100, 1, x.data(), y.data());
    auto trace = nlohmann::json::parse(traceText());
    leave(trace["traceEvents"][0]["args"]["region"] == "a\"b\\c\n");
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

TEST_F(Trace, WrittenAtExitFromManyThreads) {
  auto file = std::filesystem::temp_directory_path() / "autokernel trace.json";
  std::filesystem::remove(file);
  auto run = [&] {
    set(file.string());
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        std::vector<float> mine(100, 1);
        for (int i = 0; i < 20; ++i)
          saxpy.call(100, 1, x.data(), mine.data());
      });
    for (std::thread &t : threads)
      t.join();
    std::exit(0);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
  std::ifstream in(file);
  auto trace = nlohmann::json::parse(in);
  EXPECT_EQ(trace["traceEvents"].size(), 400u);
  std::filesystem::remove(file);
}

TEST_F(Trace, OffByDefault) {
  set("");
  saxpy.call(100, 1, x.data(), y.data());
  EXPECT_TRUE(names(nlohmann::json::parse(traceText())).empty());
}

} // namespace
} // namespace autokernel::runtime
