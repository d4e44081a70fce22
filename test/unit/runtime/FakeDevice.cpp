#include "FakeDevice.h"
#include "Pool.h"

#include <cstdlib>
#include <cstring>

namespace autokernel::runtime {

Device &cudaDevice() {
  static FakeDevice none;
  none.devices = 0;
  return none;
}

FakeDevice::~FakeDevice() {
  pool().trim();
  pool().limitIdle(0);
  useDevice(nullptr);
  for (auto &[at, bytes] : blocks)
    std::free(at);
}

unsigned FakeDevice::count(const std::string &call) const {
  unsigned n = 0;
  for (const std::string &entry : log)
    n += entry == call;
  return n;
}

bool FakeDevice::fails(const char *call) {
  log.push_back(call);
  return failingCall == call && failsAfter-- == 0;
}

bool FakeDevice::inBlock(const void *p, size_t bytes) const {
  auto *at = static_cast<const char *>(p);
  for (auto &[begin, size] : blocks)
    if (at >= begin && at + bytes <= begin + size)
      return true;
  for (auto &[begin, what] : special)
    if (at >= begin && at + bytes <= begin + what.first)
      return true;
  return false;
}

Status FakeDevice::count(int &n) {
  n = devices;
  return devices ? 0 : 100;
}

Status FakeDevice::current(int &ordinal) {
  ordinal = 0;
  return 0;
}

Status FakeDevice::totalMemory(size_t &bytes) {
  bytes = memory;
  return 0;
}

Status FakeDevice::allocate(void **p, size_t bytes) {
  std::lock_guard<std::mutex> hold(lock);
  if (fails("allocate") || used + bytes > memory)
    return 2;
  auto *at = static_cast<char *>(std::aligned_alloc(512, (bytes + 511) & ~511));
  std::memset(at, 0xcd, bytes);
  blocks[at] = bytes;
  used += bytes;
  *p = at;
  return 0;
}

Status FakeDevice::release(void *p) {
  std::lock_guard<std::mutex> hold(lock);
  log.push_back("release");
  auto found = blocks.find(static_cast<char *>(p));
  used -= found->second;
  std::free(found->first);
  blocks.erase(found);
  return 0;
}

Status FakeDevice::kindOf(const void *p, MemoryKind &kind, int &ordinal) {
  std::lock_guard<std::mutex> hold(lock);
  ordinal = 0;
  kind = MemoryKind::Host;
  auto *at = static_cast<const char *>(p);
  for (auto &[begin, what] : special)
    if (at >= begin && at < begin + what.first)
      kind = what.second;
  return 0;
}

Status FakeDevice::copy(void *to, const void *from, size_t bytes, Copy way,
                        void *) {
  static const char *const Names[] = {"copy in", "copy out", "copy on device"};
  std::lock_guard<std::mutex> hold(lock);
  if (fails(Names[int(way)]))
    return 1;
  outOfBounds |= !inBlock(way == Copy::Out ? from : to, bytes);
  std::memcpy(to, from, bytes);
  copiedBytes += bytes;
  return 0;
}

Status FakeDevice::synchronise(void *) {
  std::lock_guard<std::mutex> hold(lock);
  return fails("synchronise") ? 700 : 0;
}

Status FakeDevice::takeError() {
  std::lock_guard<std::mutex> hold(lock);
  return fails("take error") ? 9 : 0;
}

} // namespace autokernel::runtime
