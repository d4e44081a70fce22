// Device memory that is kept for the next call instead of being freed.
//
// Blocks come in size classes, four to a power of two. What lies idle is
// limited for each device; when an allocation fails the idle blocks go first.
//
// Surface: Pool, pool(), Lease.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

namespace autokernel::runtime {

class Pool {
public:
  /// Null when the device has no room.
  void *take(int ordinal, size_t bytes);
  void give(int ordinal, size_t bytes, void *block);
  /// Frees what lies idle, e.g. between tests.
  void trim();
  size_t idleBytes() const;
  void limitIdle(size_t bytes);

  static size_t classOf(size_t bytes);

private:
  struct Shelf {
    std::map<size_t, std::vector<void *>> blocks; // by size class
    size_t idle = 0;
    size_t limit = 0; // 0: not asked yet
  };
  void *reuse(int ordinal, size_t bytes);
  void releaseAll(Shelf &shelf);
  size_t limitOf(Shelf &shelf);

  mutable std::mutex lock;
  std::map<int, Shelf> shelves; // by device
  size_t fixedLimit = 0;
};

/// Of this program.
Pool &pool();

/// The blocks of one call; they go back to the pool, or are freed when the
/// device is in an unknown state.
class Lease {
public:
  explicit Lease(int ordinal) : ordinal(ordinal) {}
  ~Lease();
  Lease(const Lease &) = delete;
  Lease &operator=(const Lease &) = delete;
  void *take(size_t bytes);
  void distrust() { trusted = false; }

private:
  struct Block {
    void *at;
    size_t bytes;
  };
  int ordinal;
  bool trusted = true;
  std::vector<Block> blocks;
};

} // namespace autokernel::runtime
