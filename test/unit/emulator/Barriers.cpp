//===- Barriers.cpp - barriers, deadlocks, budgets, the grid --------------===//

#include "Harness.h"
#include <numeric>

using namespace autokernel::emulator;

TEST(EmulatorBarriers, CountAndOr) {
  Candidate C(R"(
__global__ void k(int *y) {
  int t = threadIdx.x;
  int a = __syncthreads_count(t % 3 == 0);
  int b = __syncthreads_and(t < 100);
  int c = __syncthreads_or(t == 99);
  int d = __syncthreads_and(t < 99);
  int e = __syncthreads_or(t == 100);
  y[t] = a + 100 * b + 1000 * c + 10000 * d + 100000 * e;
}
extern "C" cudaError_t go(int *y) { k<<<1, 100>>>(y); return cudaGetLastError(); })");
  int *Y = C.fresh<int>(100);
  C.run(Y);
  EXPECT_EQ(C.values(Y, 100), std::vector<int>(100, 34 + 100 + 1000));
  C.expectClean();
}

TEST(EmulatorBarriers, ThreadsThatLeftAreNotWaitedFor) {
  Candidate C(R"(
__global__ void k(const float *x, float *y, int n) {
  __shared__ float s[64];
  int t = threadIdx.x;
  if (t >= n) return;
  s[t] = x[t];
  __syncthreads();
  y[t] = s[n - 1 - t];
}
extern "C" cudaError_t go(const float *x, float *y, int n) { k<<<1, 64>>>(x, y, n); return cudaGetLastError(); })");
  std::vector<float> X(50);
  std::iota(X.begin(), X.end(), 0.f);
  float *Y = C.fresh<float>(50);
  C.run(C.buffer(X), Y, 50);
  EXPECT_EQ(C.values(Y, 50)[0], 49.f);
  C.expectClean();
}

TEST(EmulatorBarriers, DifferentBarriersInBranches) {
  Candidate C(R"(
__global__ void k(float *y) {
  if (threadIdx.x < 16) {
    __syncthreads();
    y[threadIdx.x] = 1;
  } else {
    __syncthreads(); // BUG
    y[threadIdx.x] = 2;
  }
}
extern "C" cudaError_t go(float *y) { k<<<1, 32>>>(y); return cudaGetLastError(); })");
  C.run(C.fresh<float>(32));
  ASSERT_FALSE(C.M->reports().empty());
  const Report &R = C.M->reports().front();
  EXPECT_EQ(R.Kind, "divergent-barrier");
  EXPECT_TRUE(R.Line == 4 || R.Line == 7) << toString(R);
}

TEST(EmulatorBarriers, SomeThreadsLoopOnceMore) {
  Candidate C(R"(
__global__ void k(float *y) {
  int n = threadIdx.x < 32 ? 3 : 2;
  for (int i = 0; i < n; ++i)
    __syncthreads();
  y[threadIdx.x] = n;
  __syncthreads();
}
extern "C" cudaError_t go(float *y) { k<<<1, 64>>>(y); return cudaGetLastError(); })");
  C.run(C.fresh<float>(64));
  ASSERT_FALSE(C.M->reports().empty());
  EXPECT_EQ(C.M->reports().front().Kind, "divergent-barrier");
}

TEST(EmulatorBarriers, DeadlockNamesTheWaiters) {
  Candidate C(R"(
__global__ void k(float *y) {
  float v = 0;
  if (threadIdx.x < 16)
    __syncthreads(); // BUG
  else
    v = __shfl_sync(0xffffffffu, 1.f, 0);
  y[threadIdx.x] = v;
}
extern "C" cudaError_t go(float *y) { k<<<1, 32>>>(y); return cudaGetLastError(); })");
  EXPECT_EQ(C.run(C.fresh<float>(32)), 702);
  const Report &R = C.expect("deadlock");
  EXPECT_NE(R.Message.find("candidate.cu:5"), std::string::npos) << R.Message;
}

TEST(EmulatorBarriers, EndlessLoopEndsByItsBudget) {
  MachineOptions O;
  O.MaxSteps = 1 << 20;
  Candidate C(R"(
__global__ void k(volatile int *flag) {
  while (*flag == 0) // BUG
    ;
}
extern "C" cudaError_t go(int *flag) { k<<<1, 1>>>(flag); return cudaGetLastError(); })",
              O);
  EXPECT_EQ(C.run(C.buffer(std::vector<int>(1))), 702);
  C.expect("step-budget");
}

TEST(EmulatorBarriers, EndlessLoopEndsByTheClock) {
  MachineOptions O;
  O.MaxSeconds = 0.2;
  Candidate C(R"(
__global__ void k(int *y) {
  unsigned v = 1;
  while (v != 0) v = v * 3 + (v & 1) + 2 | 1;
  y[0] = v;
}
extern "C" cudaError_t go(int *y) { k<<<1, 1>>>(y); return cudaGetLastError(); })",
              O);
  C.run(C.fresh<int>(1));
  C.expect("time-budget");
}

TEST(EmulatorBarriers, SpinLockBetweenThreadsOfABlock) {
  Candidate C(R"(
__global__ void k(int *lock, int *y) {
  if (threadIdx.x == 0) {
    while (atomicAdd(lock, 0) != 7)
      ;
    y[0] = 1;
  }
  if (threadIdx.x == 5) atomicExch(lock, 7);
}
extern "C" cudaError_t go(int *lock, int *y) { k<<<1, 32>>>(lock, y); return cudaGetLastError(); })");
  int *Y = C.fresh<int>(1);
  EXPECT_EQ(C.run(C.buffer(std::vector<int>(1)), Y), 0);
  EXPECT_EQ(C.values(Y, 1)[0], 1);
  C.expectClean();
}

static const char *GridSource = R"(
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(float *a, float *b, int n) {
  __shared__ float s[32];
  cg::grid_group grid = cg::this_grid();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i;
  a[i] = i;
  SYNC;
  b[i] = a[n - 1 - i] + s[threadIdx.x]; // BUG
}
extern "C" cudaError_t go(float *a, float *b, int n) {
  void *args[] = {&a, &b, &n};
  return LAUNCH;
})";

static std::string gridSource(const char *Sync, const char *Launch) {
  std::string Text = GridSource;
  Text.replace(Text.find("SYNC"), 4, Sync);
  Text.replace(Text.find("LAUNCH"), 6, Launch);
  return Text;
}
static const char *Together =
    "cudaLaunchCooperativeKernel((void *)k, dim3(4), dim3(32), args, 0, 0)";

TEST(EmulatorBarriers, GridSync) {
  for (auto Order : {MachineOptions::Forward, MachineOptions::Random}) {
    MachineOptions O;
    O.Schedule = Order;
    Candidate C(gridSource("grid.sync()", Together), O);
    float *B = C.fresh<float>(128, "b");
    EXPECT_EQ(C.run(C.fresh<float>(128, "a"), B, 128), 0);
    EXPECT_EQ(C.values(B, 128), std::vector<float>(128, 127));
    C.expectClean();
  }
}

TEST(EmulatorBarriers, GridWithoutSync) {
  Candidate C(gridSource("__syncthreads()", Together));
  C.M->fill(C.fresh<float>(1), 0, 4, true);
  float *A = C.buffer(std::vector<float>(128), "a");
  C.run(A, C.fresh<float>(128, "b"), 128);
  ASSERT_FALSE(C.M->reports().empty());
  EXPECT_EQ(C.M->reports().front().Kind, "race");
}

TEST(EmulatorBarriers, GridSyncNeedsACooperativeLaunch) {
  Candidate C(
      gridSource("grid.sync()", "(k<<<4, 32>>>(a, b, n), cudaGetLastError())"));
  EXPECT_EQ(C.run(C.fresh<float>(128), C.fresh<float>(128), 128), 719);
  EXPECT_EQ(C.M->reports().front().Kind, "bad-launch");
}
