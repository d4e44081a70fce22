#include "Pool.h"
#include "Device.h"

#include <algorithm>

namespace autokernel::runtime {
namespace {

constexpr size_t SmallestBlock = 512;
/// Of the device's memory; the program wants to allocate, too.
constexpr size_t IdleFraction = 4;

} // namespace

size_t Pool::classOf(size_t bytes) {
  size_t power = SmallestBlock;
  while (power < bytes && power <= SIZE_MAX / 2)
    power *= 2;
  if (power < bytes || power == SmallestBlock)
    return std::max(power, bytes);
  size_t quarter = power / 8, size = power / 2;
  while (size < bytes)
    size += quarter;
  return size;
}

void *Pool::reuse(int ordinal, size_t bytes) {
  std::lock_guard<std::mutex> hold(lock);
  Shelf &shelf = shelves[ordinal];
  auto found = shelf.blocks.find(bytes);
  if (found == shelf.blocks.end() || found->second.empty())
    return nullptr;
  void *block = found->second.back();
  found->second.pop_back();
  shelf.idle -= bytes;
  return block;
}

void *Pool::take(int ordinal, size_t bytes) {
  size_t size = classOf(bytes);
  if (void *block = reuse(ordinal, size))
    return block;
  void *block = nullptr;
  if (device().allocate(&block, size) == 0)
    return block;
  device().takeError();
  {
    std::lock_guard<std::mutex> hold(lock);
    releaseAll(shelves[ordinal]);
  }
  if (device().allocate(&block, size) == 0)
    return block;
  device().takeError();
  return nullptr;
}

void Pool::give(int ordinal, size_t bytes, void *block) {
  size_t size = classOf(bytes);
  std::lock_guard<std::mutex> hold(lock);
  Shelf &shelf = shelves[ordinal];
  if (shelf.idle + size > limitOf(shelf)) {
    device().release(block);
    return;
  }
  shelf.blocks[size].push_back(block);
  shelf.idle += size;
}

void Pool::releaseAll(Shelf &shelf) {
  for (auto &[size, blocks] : shelf.blocks)
    for (void *block : blocks)
      device().release(block);
  shelf.blocks.clear();
  shelf.idle = 0;
}

size_t Pool::limitOf(Shelf &shelf) {
  if (fixedLimit)
    return fixedLimit;
  if (!shelf.limit) {
    size_t total = 0;
    bool known = device().totalMemory(total) == 0;
    shelf.limit = known ? std::max<size_t>(1, total / IdleFraction) : 1;
  }
  return shelf.limit;
}

void Pool::trim() {
  std::lock_guard<std::mutex> hold(lock);
  for (auto &[ordinal, shelf] : shelves)
    releaseAll(shelf);
}

size_t Pool::idleBytes() const {
  std::lock_guard<std::mutex> hold(lock);
  size_t sum = 0;
  for (auto &[ordinal, shelf] : shelves)
    sum += shelf.idle;
  return sum;
}

void Pool::limitIdle(size_t bytes) {
  std::lock_guard<std::mutex> hold(lock);
  fixedLimit = bytes;
}

Pool &pool() {
  // Never destroyed: the driver may be gone before static objects are.
  static auto *p = new Pool;
  return *p;
}

Lease::~Lease() {
  for (const Block &b : blocks)
    if (trusted)
      pool().give(ordinal, b.bytes, b.at);
    else
      device().release(b.at);
}

void *Lease::take(size_t bytes) {
  void *at = pool().take(ordinal, bytes);
  if (at)
    blocks.push_back({at, bytes});
  return at;
}

} // namespace autokernel::runtime
