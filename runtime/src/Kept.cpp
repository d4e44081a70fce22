#include "Kept.h"
#include "Pool.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <mutex>

namespace autokernel::runtime {

// Declared in autokernel/data.h, which the runtime itself doesn't include.
void keepOnDevice(const void *array, size_t bytes);
void bringToHost(const void *array, bool forWriting);
void keepNoLonger(const void *array);

namespace {

struct Registry {
  std::mutex lock;
  std::list<KeptArray> arrays; // addresses stay
  std::atomic<unsigned> count{0};
};

Registry &registry() {
  static auto *r = new Registry;
  return *r;
}

/// The values exist on the device only: without them nothing can go on.
[[noreturn]] void loseData(Status s) {
  std::fprintf(stderr,
               "autokernel: a kept array can't be copied from the device: %s\n",
               device().describe(s));
  std::abort();
}

void validateHost(KeptArray &a) {
  if (a.hostValid)
    return;
  void *stream = device().stream();
  Status s = device().copy(a.host, a.block, a.bytes, Copy::Out, stream);
  if (!s)
    s = device().synchronise(stream);
  if (s)
    loseData(s);
  a.hostValid = true;
}

bool contains(const KeptArray &a, const char *at, size_t bytes) {
  return at >= a.host && at + bytes <= a.host + a.bytes;
}

} // namespace

bool anyKept() { return registry().count.load(std::memory_order_relaxed); }

KeptArray *findKept(const char *at, size_t bytes) {
  if (!anyKept())
    return nullptr;
  Registry &r = registry();
  std::lock_guard<std::mutex> hold(r.lock);
  for (KeptArray &a : r.arrays)
    if (contains(a, at, bytes))
      return &a;
  return nullptr;
}

bool makeResident(KeptArray &array, int ordinal) {
  std::lock_guard<std::mutex> hold(registry().lock);
  if (array.block)
    return array.ordinal == ordinal;
  array.block = static_cast<char *>(pool().take(ordinal, array.bytes));
  array.ordinal = ordinal;
  return array.block;
}

void loopComesNext(bool writes) {
  Registry &r = registry();
  std::lock_guard<std::mutex> hold(r.lock);
  for (KeptArray &a : r.arrays) {
    validateHost(a);
    a.deviceValid &= !writes;
  }
}

void makeHostValid(const char *at) {
  if (!anyKept())
    return;
  Registry &r = registry();
  std::lock_guard<std::mutex> hold(r.lock);
  for (KeptArray &a : r.arrays)
    if (contains(a, at, 1))
      validateHost(a);
}

void keepOnDevice(const void *array, size_t bytes) {
  Registry &r = registry();
  std::lock_guard<std::mutex> hold(r.lock);
  KeptArray a;
  a.host = static_cast<char *>(const_cast<void *>(array));
  a.bytes = bytes;
  r.arrays.push_front(a);
  ++r.count;
}

void bringToHost(const void *array, bool forWriting) {
  Registry &r = registry();
  std::lock_guard<std::mutex> hold(r.lock);
  for (KeptArray &a : r.arrays)
    if (a.host == array) {
      validateHost(a);
      a.deviceValid &= !forWriting;
    }
}

void keepNoLonger(const void *array) {
  Registry &r = registry();
  std::lock_guard<std::mutex> hold(r.lock);
  for (auto a = r.arrays.begin(); a != r.arrays.end(); ++a) {
    if (a->host != array)
      continue;
    validateHost(*a);
    if (a->block)
      pool().give(a->ordinal, a->bytes, a->block);
    r.arrays.erase(a);
    --r.count;
    return;
  }
}

} // namespace autokernel::runtime
