//===- Warps.cpp - warp operations and cooperative groups -----------------===//

#include "Harness.h"
#include <cmath>
#include <numeric>

using namespace autokernel::emulator;

static std::vector<float> iota(int N) {
  std::vector<float> V(N);
  std::iota(V.begin(), V.end(), 0.f);
  return V;
}

TEST(EmulatorWarps, ShuffleReduction) {
  for (auto Order : {MachineOptions::Forward, MachineOptions::Reverse,
                     MachineOptions::Random}) {
    MachineOptions O;
    O.Schedule = Order;
    Candidate C(R"(
__inline__ __device__ float warpSum(float v) {
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  return v;
}
__global__ void sum(const float *x, float *out, int n) {
  __shared__ float part[8];
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    v += x[i];
  v = warpSum(v);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0.f;
    v = warpSum(v);
    if (threadIdx.x == 0) atomicAdd(out, v);
  }
}
extern "C" cudaError_t go(const float *x, float *out, int n) { sum<<<3, 256>>>(x, out, n); return cudaGetLastError(); })",
                O);
    float *Out = C.buffer(std::vector<float>(1));
    EXPECT_EQ(C.run(C.buffer(iota(1000)), Out, 1000), 0);
    EXPECT_EQ(C.values(Out, 1)[0], 499500.f);
    C.expectClean();
  }
}

TEST(EmulatorWarps, EveryShuffleAndVote) {
  Candidate C(R"(
__global__ void k(int *y) {
  int t = threadIdx.x;
  const unsigned all = 0xffffffffu;
  int *r = y + 16 * t;
  r[0] = __shfl_sync(all, t, 5);
  r[1] = __shfl_up_sync(all, t, 2);
  r[2] = __shfl_down_sync(all, t, 3);
  r[3] = __shfl_xor_sync(all, t, 9);
  r[4] = __shfl_sync(all, t, 3, 8);
  r[5] = __shfl_up_sync(all, t, 2, 8);
  r[6] = __shfl_down_sync(all, t, 3, 8);
  r[7] = __ballot_sync(all, t % 2 == 0);
  r[8] = __any_sync(all, t == 31) + 2 * __all_sync(all, t < 31);
  r[9] = __match_any_sync(all, t / 16);
  int same;
  r[10] = __match_all_sync(all, 7, &same) + same;
  r[11] = __reduce_add_sync(all, t);
  r[12] = __reduce_max_sync(all, -t) * 100 + __reduce_min_sync(all, -t);
  r[13] = (int)__shfl_xor_sync(all, (double)t, 1);
  r[14] = (int)__shfl_sync(all, 1ll << 40, 0) + (int)(__shfl_sync(all, 1ll << 40, 0) >> 38);
  r[15] = __activemask();
}
extern "C" cudaError_t go(int *y) { k<<<1, 32>>>(y); return cudaGetLastError(); })");
  int *Y = C.fresh<int>(16 * 32);
  C.run(Y);
  C.expectClean();
  std::vector<int> V = C.values(Y, 16 * 32);
  for (int T = 0; T < 32; ++T) {
    const int *R = &V[16 * T];
    int Base = T & ~7;
    EXPECT_EQ(R[0], 5);
    EXPECT_EQ(R[1], T >= 2 ? T - 2 : T);
    EXPECT_EQ(R[2], T + 3 < 32 ? T + 3 : T);
    EXPECT_EQ(R[3], T ^ 9);
    EXPECT_EQ(R[4], Base + 3);
    EXPECT_EQ(R[5], T - 2 >= Base ? T - 2 : T);
    EXPECT_EQ(R[6], T + 3 < Base + 8 ? T + 3 : T);
    EXPECT_EQ(unsigned(R[7]), 0x55555555u);
    EXPECT_EQ(R[8], 1);
    EXPECT_EQ(unsigned(R[9]), T < 16 ? 0xffffu : 0xffff0000u);
    EXPECT_EQ(R[10], 0);
    EXPECT_EQ(R[11], 496);
    EXPECT_EQ(R[12], -31);
    EXPECT_EQ(R[13], T ^ 1);
    EXPECT_EQ(R[14], 4);
    EXPECT_EQ(R[15], -1);
  }
}

TEST(EmulatorWarps, SourceLaneDoesNotTakePart) {
  Candidate C(R"(
__global__ void k(float *y) {
  float v = threadIdx.x;
  if (threadIdx.x < 16)
    v = __shfl_sync(0x0000ffffu, v, 20); // BUG
  y[threadIdx.x] = v;
}
extern "C" cudaError_t go(float *y) { k<<<1, 32>>>(y); return cudaGetLastError(); })");
  float *Y = C.fresh<float>(32);
  C.run(Y);
  C.expect("shuffle-inactive-lane");
  EXPECT_TRUE(std::isnan(C.values(Y, 1)[0]));
}

TEST(EmulatorWarps, PartialWarpReductionIsClean) {
  Candidate C(R"(
__global__ void k(float *y) {
  float v = 1;
  if (threadIdx.x < 16)
    for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(0xffffu, v, d);
  if (threadIdx.x == 0) y[0] = v;
}
extern "C" cudaError_t go(float *y) { k<<<1, 32>>>(y); return cudaGetLastError(); })");
  float *Y = C.fresh<float>(1);
  C.run(Y);
  EXPECT_EQ(C.values(Y, 1)[0], 16.f);
  C.expectClean();
}

TEST(EmulatorWarps, MaskNamesLanesThatLeft) {
  Candidate C(R"(
__global__ void k(float *y, int n) {
  if (threadIdx.x >= n) return;
  float v = 1;
  v += __shfl_down_sync(0xffffffffu, v, 1); // BUG
  y[threadIdx.x] = v;
}
extern "C" cudaError_t go(float *y, int n) { k<<<1, 32>>>(y, n); return cudaGetLastError(); })");
  float *Y = C.fresh<float>(32);
  C.run(Y, 32);
  C.expectClean();
  C.run(Y, 20);
  C.expect("lane-exited");
}

TEST(EmulatorWarps, MaskLacksTheCaller) {
  Candidate C(R"(
__global__ void k(float *y) {
  float v = __shfl_sync(0x0000ffffu, 1.f, 0); // BUG
  y[threadIdx.x] = v;
}
extern "C" cudaError_t go(float *y) { k<<<1, 32>>>(y); return cudaGetLastError(); })");
  C.run(C.fresh<float>(32));
  C.expect("mask-mismatch");
}

TEST(EmulatorWarps, MaskNamesLanesInAnotherBranch) {
  Candidate C(R"(
__global__ void k(float *y) {
  float v = 0;
  if (threadIdx.x < 16) v = __shfl_sync(0xffffffffu, 1.f, 0);
  else v = __ballot_sync(0xffffffffu, 1);
  y[threadIdx.x] = v;
}
extern "C" cudaError_t go(float *y) { k<<<1, 32>>>(y); return cudaGetLastError(); })");
  C.run(C.fresh<float>(32));
  C.expect("mask-mismatch");
}

TEST(EmulatorWarps, ActiveMaskInABranch) {
  Candidate C(R"(
__global__ void k(unsigned *y) {
  if (threadIdx.x % 4 == 1) y[threadIdx.x] = __activemask();
  else y[threadIdx.x] = 0;
}
extern "C" cudaError_t go(unsigned *y) { k<<<1, 64>>>(y); return cudaGetLastError(); })");
  auto *Y = C.fresh<unsigned>(64);
  C.run(Y);
  EXPECT_EQ(C.values(Y, 64)[33], 0x22222222u);
  C.expectClean();
}

TEST(EmulatorWarps, TilesOfABlock) {
  Candidate C(R"(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__device__ float tileSum(cg::thread_block_tile<8> t, float v) {
  for (int d = t.size() / 2; d > 0; d /= 2) v += t.shfl_down(v, d);
  return t.shfl(v, 0);
}
__global__ void k(const float *x, float *y) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  int t = block.thread_rank();
  float v = x[t];
  float s = tileSum(tile, v);
  float m = cg::reduce(tile, v, cg::greater<float>());
  unsigned b = tile.ballot(t % 2);
  int any = tile.any(t == 3);
  block.sync();
  y[t] = s + 1000 * m + 100000 * (b == 0xaa) + 1000000 * any + 4000000 * tile.meta_group_rank();
}
extern "C" cudaError_t go(const float *x, float *y) { k<<<1, 64>>>(x, y); return cudaGetLastError(); })");
  float *Y = C.fresh<float>(64);
  C.run(C.buffer(iota(64)), Y);
  C.expectClean();
  std::vector<float> V = C.values(Y, 64);
  for (int T = 0; T < 64; ++T) {
    int Base = T & ~7;
    EXPECT_EQ(V[T], float(8 * Base + 28 + 1000 * (Base + 7) + 100000 +
                          1000000 * (T < 8) + 4000000 * (T / 8)));
  }
}

TEST(EmulatorWarps, CoalescedThreads) {
  Candidate C(R"(
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void filter(const int *x, int *y, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] % 3 == 0) {
    auto g = cg::coalesced_threads();
    int at = 0;
    if (g.thread_rank() == 0) at = atomicAdd(count, (int)g.size());
    at = g.shfl(at, 0) + g.thread_rank();
    y[at] = x[i];
  }
}
extern "C" cudaError_t go(const int *x, int *y, int *count, int n) {
  filter<<<(n + 63) / 64, 64>>>(x, y, count, n);
  return cudaGetLastError();
})");
  std::vector<int> X(100);
  std::iota(X.begin(), X.end(), 0);
  int *Y = C.fresh<int>(34), *Count = C.buffer(std::vector<int>(1));
  EXPECT_EQ(C.run(C.buffer(X), Y, Count, 100), 0);
  C.expectClean();
  EXPECT_EQ(C.values(Count, 1)[0], 34);
  std::vector<int> V = C.values(Y, 34);
  EXPECT_EQ(std::accumulate(V.begin(), V.end(), 0), 33 * 34 / 2 * 3);
}

TEST(EmulatorWarps, LongLoopsOfWarpBarriersStayClean) {
  Candidate C(R"(
__global__ void k(float *y) {
  __shared__ float s[64];
  int t = threadIdx.x, base = t & 32;
  s[t] = t;
  for (int i = 0; i < 3000; ++i) {
    __syncwarp();
    float v = s[base + (t + 1) % 32];
    __syncwarp();
    s[t] = v;
  }
  __syncwarp();
  y[t] = s[t];
}
extern "C" cudaError_t go(float *y) { k<<<1, 64>>>(y); return cudaGetLastError(); })");
  float *Y = C.fresh<float>(64);
  C.run(Y);
  C.expectClean();
  EXPECT_EQ(C.values(Y, 64)[0], float(3000 % 32));
}
