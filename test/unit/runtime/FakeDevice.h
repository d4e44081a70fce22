// A device that lives in host memory and fails where a test wants it to.
#pragma once

#include "Device.h"

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace autokernel::runtime {

struct FakeDevice final : Device {
  int devices = 1;
  size_t memory = size_t(1) << 30;
  /// The named call fails when it is made for the n-th time from now.
  std::string failingCall;
  int failsAfter = 0;

  std::vector<std::string> log; // allocate, copy in, ...
  std::map<char *, size_t> blocks;
  std::map<const char *, std::pair<size_t, MemoryKind>> special;
  size_t used = 0;

  FakeDevice() { useDevice(this); }
  ~FakeDevice() override;

  /// Memory that the program itself holds on the device or as managed memory.
  void declare(const void *p, size_t bytes, MemoryKind kind) {
    special[static_cast<const char *>(p)] = {bytes, kind};
  }
  void failAt(const char *call, int after = 0) {
    failingCall = call;
    failsAfter = after;
  }
  unsigned count(const std::string &call) const;
  size_t copiedBytes = 0;
  bool outOfBounds = false;

  Status count(int &n) override;
  Status current(int &ordinal) override;
  const char *name(int) override { return "Fake GPU"; }
  Status totalMemory(size_t &bytes) override;
  Status allocate(void **p, size_t bytes) override;
  Status release(void *p) override;
  Status kindOf(const void *p, MemoryKind &kind, int &ordinal) override;
  Status copy(void *to, const void *from, size_t bytes, Copy way,
              void *stream) override;
  Status synchronise(void *stream) override;
  Status takeError() override;
  const char *describe(Status) override { return "fake error"; }
  void *stream() override { return nullptr; }

private:
  bool fails(const char *call);
  bool inBlock(const void *p, size_t bytes) const;
  std::mutex lock;
};

} // namespace autokernel::runtime
