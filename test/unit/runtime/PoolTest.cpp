#include "Pool.h"
#include "FakeDevice.h"

#include <gtest/gtest.h>

namespace autokernel::runtime {
namespace {

TEST(Pool, ClassesWasteAQuarterAtMost) {
  EXPECT_EQ(Pool::classOf(1), 512u);
  EXPECT_EQ(Pool::classOf(512), 512u);
  for (size_t n = 513; n < 3'000'000; n += 997) {
    EXPECT_GE(Pool::classOf(n), n);
    EXPECT_LE(Pool::classOf(n), n + n / 4 + 1);
    EXPECT_EQ(Pool::classOf(Pool::classOf(n)), Pool::classOf(n));
  }
}

TEST(Pool, ABlockIsUsedAgain) {
  FakeDevice device;
  void *a = pool().take(0, 1000);
  pool().give(0, 1000, a);
  EXPECT_EQ(pool().take(0, 1010), a);
  EXPECT_EQ(device.count("allocate"), 1u);
  pool().give(0, 1010, a);
}

TEST(Pool, DevicesDontShareBlocks) {
  FakeDevice device;
  void *a = pool().take(0, 1000);
  pool().give(0, 1000, a);
  void *b = pool().take(1, 1000);
  EXPECT_NE(a, b);
  pool().give(1, 1000, b);
}

TEST(Pool, IdleBytesAreLimited) {
  FakeDevice device;
  pool().limitIdle(4096);
  void *a = pool().take(0, 4096), *b = pool().take(0, 4096);
  pool().give(0, 4096, a);
  pool().give(0, 4096, b);
  EXPECT_EQ(pool().idleBytes(), 4096u);
  EXPECT_EQ(device.count("release"), 1u);
}

TEST(Pool, IdleBlocksMakeRoomForOtherSizes) {
  FakeDevice device;
  device.memory = 1 << 20;
  pool().limitIdle(1 << 20);
  void *a = pool().take(0, 900 * 1024);
  pool().give(0, 900 * 1024, a);
  void *b = pool().take(0, 512 * 1024);
  EXPECT_NE(b, nullptr);
  EXPECT_EQ(pool().idleBytes(), 0u);
  EXPECT_EQ(pool().take(0, 2 << 20), nullptr);
  pool().give(0, 512 * 1024, b);
}

TEST(Lease, GivesBackOrFrees) {
  FakeDevice device;
  {
    Lease l(0);
    EXPECT_NE(l.take(100), nullptr);
  }
  EXPECT_EQ(pool().idleBytes(), 512u);
  {
    Lease l(0);
    l.take(100);
    l.distrust();
  }
  EXPECT_EQ(pool().idleBytes(), 0u);
}

} // namespace
} // namespace autokernel::runtime
