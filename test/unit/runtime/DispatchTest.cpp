// Staging, in-place memory, failures: on the fake device.
#include "FakeDevice.h"
#include "Pool.h"
#include "Regions.h"
#include "Settings.h"
#include "UsableDevice.h"

#include <gtest/gtest.h>

#include <thread>

#include <sys/mman.h>
#include <unistd.h>

namespace autokernel::runtime {
namespace {

void setMode(Mode mode) {
  Settings s;
  s.mode = mode;
  useSettings(s);
}

struct Dispatch : testing::Test {
  FakeDevice device;
  Saxpy saxpy;
  std::vector<float> x = std::vector<float>(1000, 1.5f),
                     y = std::vector<float>(1000, 2.0f);

  Dispatch() { setMode(Mode::Force); }
  ~Dispatch() override { setMode(Mode::Auto); }
  int call(int n = 1000) { return saxpy.call(n, 2, x.data(), y.data()); }
  const char *reason() { return saxpy.region.state.reason; }
};

TEST_F(Dispatch, TheKernelDoesTheWork) {
  EXPECT_EQ(call(900), Done);
  EXPECT_EQ(y[0], 5);
  EXPECT_EQ(y[899], 5);
  EXPECT_EQ(y[900], 2);
  EXPECT_FALSE(device.outOfBounds);
  EXPECT_EQ(device.copiedBytes, 3 * 900 * sizeof(float));
}

TEST_F(Dispatch, OffDoesNothing) {
  setMode(Mode::Off);
  EXPECT_EQ(call(), RunLoop);
  EXPECT_TRUE(device.log.empty());
}

TEST_F(Dispatch, NoIterationsIsTheLoopsBusiness) {
  EXPECT_EQ(call(0), RunLoop);
  EXPECT_EQ(device.count("allocate"), 0u);
}

TEST_F(Dispatch, BlocksAreReused) {
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(call(), Done);
  EXPECT_EQ(device.count("allocate"), 2u);
}

TEST_F(Dispatch, OnlyTouchedElementsAreCopied) {
  saxpy.loops[0].first = saxpy.b.code({constant(100)});
  saxpy.region.info.launch = [](void *const *v, void *, size_t, void *) {
    for (int i = 100; i < *static_cast<const int *>(v[0]); ++i)
      static_cast<float *>(v[3])[i] = static_cast<const float *>(v[2])[i];
    return 0;
  };
  EXPECT_EQ(call(150), Done);
  EXPECT_EQ(device.copiedBytes, 3 * 50 * sizeof(float));
  EXPECT_EQ(y[99], 2);
  EXPECT_EQ(y[100], 1.5f);
  EXPECT_EQ(y[149], 1.5f);
  EXPECT_EQ(y[150], 2);
  EXPECT_FALSE(device.outOfBounds);
}

TEST_F(Dispatch, ElementZeroKeepsItsAlignment) {
  saxpy.loops[0].first = saxpy.b.code({constant(3)});
  saxpy.region.info.launch = [](void *const *v, void *, size_t, void *) {
    return int(reinterpret_cast<uintptr_t>(v[3]) % 256);
  };
  EXPECT_EQ(call(100), Done);
}

TEST_F(Dispatch, OverwrittenArraysAreNotCopiedIn) {
  saxpy.params[3].role = Role::Out;
  saxpy.params[3].overwritten = true;
  EXPECT_EQ(call(), Done);
  EXPECT_EQ(device.count("copy in"), 1u);
}

TEST_F(Dispatch, OverwrittenWithHolesIsCopiedIn) {
  saxpy.params[3].role = Role::Out;
  saxpy.params[3].overwritten = true;
  saxpy.accesses[1].index = saxpy.accesses[2].index =
      saxpy.b.code({counter(0), constant(2), op(Op::Mul)});
  saxpy.region.info.launch = [](void *const *, void *, size_t, void *) {
    return 0;
  };
  EXPECT_EQ(call(100), Done);
  EXPECT_EQ(device.count("copy in"), 2u);
  EXPECT_EQ(y[1], 2);
}

TEST_F(Dispatch, HolesMayBelongToOtherThreads) {
  saxpy.accesses[1].index = saxpy.accesses[2].index =
      saxpy.b.code({counter(0), constant(2), op(Op::Mul)});
  static float *host;
  host = y.data();
  saxpy.region.info.launch = [](void *const *v, void *, size_t, void *) {
    for (int i = 0; i < 100; ++i)
      static_cast<float *>(v[3])[2 * i] = 7;
    host[1] = 99; // meanwhile
    return 0;
  };
  EXPECT_EQ(call(100), Done);
  EXPECT_EQ(y[0], 7);
  EXPECT_EQ(y[1], 99);
  EXPECT_EQ(y[198], 7);
  EXPECT_EQ(y[199], 2);
}

TEST_F(Dispatch, ARangeThatIsTooRoughIsNotRead) {
  setMode(Mode::Auto);
  saxpy.region.info.breakEvenElements = 1;
  size_t page = size_t(sysconf(_SC_PAGESIZE));
  auto *memory = static_cast<char *>(
      mmap(nullptr, 2 * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(memory + page, page, PROT_NONE);
  auto *atEnd = reinterpret_cast<float *>(memory + page) - 100;
  // (i * i) % 4096: the range ends somewhere below 4096.
  saxpy.accesses[0].index = saxpy.b.code(
      {counter(0), counter(0), op(Op::Mul), constant(4096), op(Op::Rem)});
  EXPECT_EQ(saxpy.call(100, 2, atEnd, y.data()), RunLoop);
  EXPECT_STREQ(reason(), "the range is known too roughly: give the extent");
  x.resize(4096);
  EXPECT_EQ(saxpy.call(100, 2, x.data(), y.data()), Done);
  munmap(memory, 2 * page);
}

TEST_F(Dispatch, ManagedMemoryIsUsedInPlace) {
  device.declare(x.data(), 4000, MemoryKind::Managed);
  device.declare(y.data(), 4000, MemoryKind::Device);
  EXPECT_EQ(call(), Done);
  EXPECT_EQ(device.copiedBytes, 0u);
  EXPECT_EQ(y[7], 5);
}

TEST_F(Dispatch, NullStaysNull) {
  saxpy.params[2].nullable = true;
  saxpy.region.info.launch = [](void *const *v, void *, size_t, void *) {
    return v[2] ? 1 : 0;
  };
  EXPECT_EQ(saxpy.call(10, 1, nullptr, y.data()), Done);
}

TEST_F(Dispatch, WorkspaceIsAskedForAndGiven) {
  static size_t given;
  saxpy.region.info.workspace = [](void *const *v, const size_t *extents) {
    return size_t(*static_cast<const int *>(v[0])) + extents[1];
  };
  saxpy.region.info.launch = [](void *const *, void *w, size_t bytes, void *) {
    given = w ? bytes : 0;
    return 0;
  };
  EXPECT_EQ(call(300), Done);
  EXPECT_EQ(given, 600u);
}

TEST_F(Dispatch, AutoWeighsTheWork) {
  setMode(Mode::Auto);
  EXPECT_EQ(call(), RunLoop);
  EXPECT_STREQ(reason(), "too little work");
  EXPECT_TRUE(device.log.empty());
  saxpy.region.info.breakEvenElements = 500;
  EXPECT_EQ(call(), Done);
  EXPECT_EQ(call(499), RunLoop);
}

TEST_F(Dispatch, AutoCountsTheCopies) {
  setMode(Mode::Auto);
  x.resize(100'000);
  y.resize(100'000);
  EXPECT_EQ(call(100'000), RunLoop);
  EXPECT_STREQ(reason(), "too little work to pay for the copies");
  device.declare(x.data(), 400'000, MemoryKind::Managed);
  device.declare(y.data(), 400'000, MemoryKind::Managed);
  EXPECT_EQ(call(100'000), Done);
}

TEST_F(Dispatch, WithoutADeviceTheLoopRuns) {
  device.devices = 0;
  setMode(Mode::Auto);
  saxpy.region.info.breakEvenElements = 1;
  EXPECT_EQ(call(), RunLoop);
  EXPECT_STREQ(reason(), "no usable device");
  EXPECT_TRUE(deviceKnownAbsent());
}

TEST_F(Dispatch, ForceFailsLoudlyWithoutADevice) {
  device.devices = 0;
  EXPECT_DEATH(call(), "no usable device; AUTOKERNEL=force allows no loop");
}

TEST_F(Dispatch, ForceFailsLoudlyWhenAGuardDoes) {
  EXPECT_DEATH(saxpy.call(10, 1, y.data(), y.data()),
               "saxpy.cpp:3.*a written array overlaps another one .y.");
}

TEST_F(Dispatch, TooLittleMemory) {
  setMode(Mode::Auto);
  saxpy.region.info.breakEvenElements = 1;
  device.memory = 6000;
  EXPECT_EQ(call(), RunLoop);
  EXPECT_STREQ(reason(), "not enough device memory");
  EXPECT_FALSE(saxpy.region.state.disabled);
  EXPECT_EQ(device.used, 0u);
}

TEST_F(Dispatch, AnErrorOfTheProgramIsNotTheLaunchs) {
  device.failAt("take error"); // the first, before the launch
  EXPECT_EQ(call(), Done);
}

struct Failure : Dispatch, testing::WithParamInterface<const char *> {};

TEST_P(Failure, TheLoopRunsOnUntouchedData) {
  setMode(Mode::Auto);
  saxpy.region.info.breakEvenElements = 1;
  bool ofLaunch = GetParam() == std::string("take error");
  device.failAt(GetParam(), ofLaunch ? 1 : 0);
  testing::internal::CaptureStderr();
  EXPECT_EQ(call(), RunLoop);
  EXPECT_EQ(call(), RunLoop);
  std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(y[0], 2);
  EXPECT_TRUE(saxpy.region.state.disabled);
  size_t first = text.find("fake error");
  EXPECT_NE(first, std::string::npos);
  EXPECT_EQ(text.find("fake error", first + 1), std::string::npos) << text;
  EXPECT_EQ(pool().idleBytes(), 0u);
}
INSTANTIATE_TEST_SUITE_P(Calls, Failure,
                         testing::Values("copy in", "synchronise",
                                         "take error"));

TEST_F(Dispatch, AFailedLaunchIsTheLoopsTurn) {
  setMode(Mode::Auto);
  saxpy.region.info.breakEvenElements = 1;
  saxpy.region.info.launch = [](void *const *, void *, size_t, void *) {
    return 9;
  };
  EXPECT_EQ(call(), RunLoop);
  EXPECT_EQ(y[0], 2);
  EXPECT_TRUE(saxpy.region.state.disabled);
}

TEST_F(Dispatch, HalfCopiedResultsThatTheLoopReadsAreFatal) {
  setMode(Mode::Auto);
  saxpy.region.info.breakEvenElements = 1;
  device.failAt("copy out");
  EXPECT_DEATH(call(), "left data half written");
}

TEST_F(Dispatch, ManyThreads) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      std::vector<float> mine(1000, 1);
      for (int i = 0; i < 50; ++i)
        wrong += saxpy.call(1000, 1, x.data(), mine.data()) != Done;
      wrong += mine[999] != 1 + 50 * 1.5f;
    });
  for (std::thread &t : threads)
    t.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(saxpy.region.state.calls, 400u);
}

/// for (i = 0; i < n; ++i) sum += x[i];  n, x, sum
TEST_F(Dispatch, ScalarResultsGoThroughSlots) {
  ParamInfo params[] = {
      {"n", Kind::Int, 4, false, Role::In, false, false, false, {}},
      {"x", Kind::Float, 4, true, Role::In, false, false, false, {}},
      {"sum", Kind::Float, 8, false, Role::InOut, false, false, false, {}}};
  RegionInfo &info = saxpy.region.info;
  saxpy.accesses[0].array = 1;
  info.params = params;
  info.paramCount = 3;
  info.accessCount = 1;
  info.launch = [](void *const *v, void *, size_t, void *) {
    for (int i = 0; i < *static_cast<const int *>(v[0]); ++i)
      *static_cast<double *>(v[2]) += static_cast<const float *>(v[1])[i];
    return 0;
  };
  int n = 10;
  double sum = 100;
  Argument args[] = {scalar(&n), array(x.data()), scalar(&sum)};
  EXPECT_EQ(dispatch(saxpy.region, args), Done);
  EXPECT_EQ(sum, 115);
  EXPECT_FALSE(device.outOfBounds);
}

} // namespace
} // namespace autokernel::runtime
