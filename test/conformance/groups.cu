// Cooperative groups: block, tiles, coalesced threads, the grid.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

// CASE: block_ranks 2 (8,4)
// EXPECT: [32] * 2 + [31] * 2
__global__ void block_ranks(unsigned *out) {
  cg::thread_block block = cg::this_thread_block();
  block.sync();
  if (block.thread_rank() == 31) {
    out[blockIdx.x] = block.size();
    out[2 + blockIdx.x] = block.thread_index().x + 8 * block.thread_index().y;
  }
}
// CASE: tiles_of_four 1 32
// EXPECT: [i // 4 * 1000 + (i // 4 * 4 + 3) * 10 + i % 4 for i in range(32)]
__global__ void tiles_of_four(unsigned *out) {
  auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  unsigned last = tile.shfl(threadIdx.x, 3);
  out[threadIdx.x] = tile.meta_group_rank() * 1000 + last * 10 + tile.thread_rank();
}
// CASE: tiles_of_all_sizes 1 64
// EXPECT: [n * 100 + 64 // n for n in (1, 2, 4, 8, 16, 32)]
__global__ void tiles_of_all_sizes(unsigned *out) {
  cg::thread_block block = cg::this_thread_block();
  auto put = [&](int at, unsigned size, unsigned groups) {
    if (threadIdx.x == 63)
      out[at] = size * 100 + groups;
  };
  auto t1 = cg::tiled_partition<1>(block);
  auto t2 = cg::tiled_partition<2>(block);
  auto t4 = cg::tiled_partition<4>(block);
  auto t8 = cg::tiled_partition<8>(block);
  auto t16 = cg::tiled_partition<16>(block);
  auto t32 = cg::tiled_partition<32>(block);
  put(0, t1.size(), t1.meta_group_size());
  put(1, t2.size(), t2.meta_group_size());
  put(2, t4.size(), t4.meta_group_size());
  put(3, t8.size(), t8.meta_group_size());
  put(4, t16.size(), t16.meta_group_size());
  put(5, t32.size(), t32.meta_group_size());
}
// CASE: tile_shuffles 1 32
// EXPECT: [w for i in range(32) for w in (i - 1 if i % 8 else i, i + 2 if i % 8 < 6 else i, i ^ 7)]
__global__ void tile_shuffles(unsigned *out) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  out[3 * threadIdx.x] = tile.shfl_up(threadIdx.x, 1);
  out[3 * threadIdx.x + 1] = tile.shfl_down(threadIdx.x, 2);
  out[3 * threadIdx.x + 2] = tile.shfl_xor(threadIdx.x, 7);
}
// CASE: tile_votes 1 32
// EXPECT: [w for t in range(2) for w in (1, 0, 0x5555 if t == 0 else 0x5555)]
__global__ void tile_votes(unsigned *out) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  unsigned any = tile.any(tile.thread_rank() == 9), all = tile.all(tile.thread_rank() != 9);
  unsigned even = tile.ballot(tile.thread_rank() % 2 == 0);
  if (tile.thread_rank() == 0) {
    out[3 * tile.meta_group_rank()] = any != 0;
    out[3 * tile.meta_group_rank() + 1] = all != 0;
    out[3 * tile.meta_group_rank() + 2] = even;
  }
}
// CASE: tile_reduce 1 64
// EXPECT: [sum(range(16 * t, 16 * t + 16)) for t in range(4)] + [16 * t + 15 for t in range(4)]
__global__ void tile_reduce(unsigned *out) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  unsigned sum = cg::reduce(tile, threadIdx.x, cg::plus<unsigned>());
  unsigned most = cg::reduce(tile, threadIdx.x, cg::greater<unsigned>());
  if (tile.thread_rank() == 5) {
    out[tile.meta_group_rank()] = sum;
    out[4 + tile.meta_group_rank()] = most;
  }
}
// CASE: tile_scan 1 32
// EXPECT: [w for i in range(32) for w in (sum(range(i // 8 * 8, i + 1)), sum(range(i // 8 * 8, i)))]
__global__ void tile_scan(unsigned *out) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  out[2 * threadIdx.x] = cg::inclusive_scan(tile, threadIdx.x, cg::plus<unsigned>());
  out[2 * threadIdx.x + 1] = cg::exclusive_scan(tile, threadIdx.x, cg::plus<unsigned>());
}
// CASE: coalesced 1 32
// EXPECT: [i // 3 * 100 + 11 if i % 3 == 0 else 0 for i in range(32)]
__global__ void coalesced(unsigned *out) {
  if (threadIdx.x % 3 == 0) {
    auto group = cg::coalesced_threads();
    out[threadIdx.x] = group.thread_rank() * 100 + group.size();
  }
}
// CASE: coalesced_shuffle 1 32
// EXPECT: [28 if i % 4 == 0 else 0 for i in range(32)]
__global__ void coalesced_shuffle(unsigned *out) {
  if (threadIdx.x % 4 == 0) {
    auto group = cg::coalesced_threads();
    out[threadIdx.x] = group.shfl(threadIdx.x, group.size() - 1);
  }
}
// CASE: coalesced_aggregate 1 64
// EXPECT: [24]
__global__ void coalesced_aggregate(unsigned *out) {
  if (threadIdx.x % 32 < 12) {
    auto group = cg::coalesced_threads();
    if (group.thread_rank() == 0)
      atomicAdd(out, group.size());
  }
}
// CASE: tile_matches 1 32
// EXPECT: [(0b1001, 0b0010, 0b0100, 0b1001)[i % 4] for i in range(32)]
__global__ void tile_matches(unsigned *out) {
  auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  out[threadIdx.x] = tile.match_any(tile.thread_rank() % 3);
}
// CASE: grid_sync 4 32 cooperative
// EXPECT: [(i + 32) % 128 + 1 for i in range(128)] + [0] * 128
__global__ void grid_sync(unsigned *out) {
  cg::grid_group grid = cg::this_grid();
  unsigned t = grid.thread_rank();
  out[128 + t] = t + 1;
  grid.sync();
  out[t] = out[128 + (t + 32) % 128];
  grid.sync();
  out[128 + t] = 0;
}
// CASE: grid_ranks 3 (4,2) cooperative
// EXPECT: [24, 3]
__global__ void grid_ranks(unsigned *out) {
  cg::grid_group grid = cg::this_grid();
  if (grid.thread_rank() == 23) {
    out[0] = grid.size();
    out[1] = gridDim.x;
  }
}
// CASE: grid_rounds 2 64 cooperative
// EXPECT: [(i + 5) % 128 for i in range(128)]
__global__ void grid_rounds(unsigned *out) {
  cg::grid_group grid = cg::this_grid();
  unsigned t = grid.thread_rank();
  out[t] = t;
  for (int round = 0; round < 5; ++round) {
    grid.sync();
    unsigned next = out[(t + 1) % 128];
    grid.sync();
    out[t] = next;
  }
}
