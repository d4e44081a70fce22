//===- Races.cpp - races between threads and between blocks ---------------===//

#include "Harness.h"
#include <numeric>

using namespace autokernel::emulator;

static const char *Reduction = R"(
__global__ void sum(const float *x, float *out, int n) {
  __shared__ float part[128];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  part[t] = i < n ? x[i] : 0.f;
  __syncthreads();
  for (int d = 64; d > 0; d /= 2) {
    if (t < d) part[t] += part[t + d];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, part[0]);
}
extern "C" cudaError_t go(const float *x, float *out, int n) {
  cudaMemsetAsync(out, 0, sizeof(float));
  sum<<<(n + 127) / 128, 128>>>(x, out, n);
  return cudaGetLastError();
})";

TEST(EmulatorRaces, BlockReductionInEverySchedule) {
  for (auto Order : {MachineOptions::Forward, MachineOptions::Reverse,
                     MachineOptions::Random}) {
    MachineOptions O;
    O.Schedule = Order;
    Candidate C(Reduction, O);
    std::vector<float> X(1000);
    std::iota(X.begin(), X.end(), 0.f);
    float *Out = C.fresh<float>(1);
    EXPECT_EQ(C.run(C.buffer(X), Out, 1000), 0);
    EXPECT_EQ(C.values(Out, 1)[0], 499500.f);
    C.expectClean();
  }
}

TEST(EmulatorRaces, MissingBarrierInEverySchedule) {
  std::string Text = Reduction;
  size_t At = Text.find("    __syncthreads();\n  }");
  Text.replace(At, 20, std::string(20, ' '));
  for (auto Order : {MachineOptions::Forward, MachineOptions::Reverse,
                     MachineOptions::Random}) {
    MachineOptions O;
    O.Schedule = Order;
    Candidate C(Text, O);
    std::vector<float> X(1000, 1);
    C.run(C.buffer(X), C.fresh<float>(1), 1000);
    const Report &R = C.expect("race");
    EXPECT_EQ(R.Line, 8u);
    EXPECT_EQ(R.Buffer, "part");
    EXPECT_TRUE(R.HasOther);
  }
}

TEST(EmulatorRaces, BlocksWriteTheSameElement) {
  Candidate C(R"(
__global__ void k(float *y) {
  if (threadIdx.x == 0) y[0] = blockIdx.x; // BUG
}
extern "C" cudaError_t go(float *y) { k<<<4, 32>>>(y); return cudaGetLastError(); })");
  C.run(C.fresh<float>(1, "y"));
  const Report &R = C.expect("race");
  EXPECT_EQ(R.Block.X, 1u);
  EXPECT_EQ(R.OtherBlock.X, 0u);
  EXPECT_EQ(R.OtherLine, R.Line);
}

TEST(EmulatorRaces, StencilInPlaceAcrossBlocks) {
  Candidate C(R"(
__global__ void k(float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float right = i + 1 < n ? y[i + 1] : 0;
  __syncthreads();
  if (i < n) y[i] = right; // BUG
}
extern "C" cudaError_t go(float *y, int n) { k<<<(n + 31) / 32, 32>>>(y, n); return cudaGetLastError(); })");
  C.run(C.buffer(std::vector<float>(64), "y"), 64);
  C.expect("race");
}

TEST(EmulatorRaces, TwoReadersThenAWriter) {
  Candidate C(R"(
__global__ void k(float *y) {
  __shared__ float s[4];
  int t = threadIdx.x;
  if (t == 0) s[0] = 1;
  __syncthreads();
  float v = 0;
  if (t == 0 || t == 40) v = s[0];
  if (t == 40) s[0] = 2; // BUG
  y[t] = v;
}
extern "C" cudaError_t go(float *y) { k<<<1, 64>>>(y); return cudaGetLastError(); })");
  C.run(C.fresh<float>(64));
  C.expect("race");
}

TEST(EmulatorRaces, PlainUpdateOfAHistogram) {
  Candidate C(R"(
__global__ void k(int *h, const int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) h[x[i]]++; // BUG
}
extern "C" cudaError_t go(int *h, const int *x, int n) {
  k<<<(n + 63) / 64, 64>>>(h, x, n);
  return cudaGetLastError();
})");
  int *H = C.buffer(std::vector<int>(7), "h");
  C.run(H, C.buffer(std::vector<int>(100, 3)), 100);
  C.expect("race");
}

TEST(EmulatorRaces, AtomicHistogramIsClean) {
  Candidate C(R"(
__global__ void k(int *h, const int *x, int n) {
  __shared__ int local[8];
  if (threadIdx.x < 8) local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[x[i]], 1);
  __syncthreads();
  if (threadIdx.x < 8) atomicAdd(&h[threadIdx.x], local[threadIdx.x]);
}
extern "C" cudaError_t go(int *h, const int *x, int n) {
  k<<<4, 64>>>(h, x, n);
  return cudaGetLastError();
})");
  std::vector<int> X(1000);
  for (int I = 0; I < 1000; ++I)
    X[I] = I % 7;
  int *H = C.buffer(std::vector<int>(8), "h");
  C.run(H, C.buffer(X), 1000);
  C.expectClean();
  EXPECT_EQ(C.values(H, 8),
            (std::vector<int>{143, 143, 143, 143, 143, 143, 142, 0}));
}

TEST(EmulatorRaces, AtomicsByManyThenAPlainRead) {
  Candidate C(R"(
__global__ void k(int *h, int *y) {
  atomicAdd(h, 1);
  if (threadIdx.x == 63)
    y[threadIdx.x] = h[0]; // BUG
}
extern "C" cudaError_t go(int *h, int *y) { k<<<1, 64>>>(h, y); return cudaGetLastError(); })");
  C.run(C.buffer(std::vector<int>(1), "h"), C.fresh<int>(64));
  C.expect("race");
}

static const char *LastBlock = R"(
__device__ unsigned count = 0;
__global__ void sum(const float *x, float *part, float *out, int n) {
  __shared__ float s[64];
  __shared__ bool last;
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = i < n ? x[i] : 0.f;
  __syncthreads();
  for (int d = 32; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) {
    part[blockIdx.x] = s[0];
    FENCE
    last = atomicAdd(&count, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && t == 0) {
    float total = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) total += part[b]; // BUG
    *out = total;
    count = 0;
  }
}
extern "C" cudaError_t go(const float *x, float *part, float *out, int n) {
  sum<<<(n + 63) / 64, 64>>>(x, part, out, n);
  return cudaGetLastError();
})";

static std::string lastBlock(const char *Fence) {
  std::string Text = LastBlock;
  return Text.replace(Text.find("FENCE"), 5, Fence);
}

TEST(EmulatorRaces, LastBlockWithFenceIsClean) {
  for (auto Order : {MachineOptions::Forward, MachineOptions::Reverse,
                     MachineOptions::Random}) {
    MachineOptions O;
    O.Schedule = Order;
    Candidate C(lastBlock("__threadfence();"), O);
    float *X = C.buffer(std::vector<float>(1000, 1));
    float *Part = C.fresh<float>(16, "part"), *Out = C.fresh<float>(1);
    for (int Again = 0; Again < 2; ++Again) {
      EXPECT_EQ(C.run(X, Part, Out, 1000), 0);
      EXPECT_EQ(C.values(Out, 1)[0], 1000.f);
    }
    C.expectClean();
  }
}

TEST(EmulatorRaces, LastBlockWithoutFence) {
  Candidate C(lastBlock(""));
  float *X = C.buffer(std::vector<float>(1000, 1));
  C.run(X, C.fresh<float>(16, "part"), C.fresh<float>(1), 1000);
  EXPECT_EQ(C.expect("race").Buffer, "part");
}

TEST(EmulatorRaces, BytesOfOneWordAreApart) {
  Candidate C(R"(
__global__ void k(unsigned char *y, unsigned short *z) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = i;
  z[i] = i;
}
extern "C" cudaError_t go(unsigned char *y, unsigned short *z) { k<<<3, 33>>>(y, z); return cudaGetLastError(); })");
  auto *Y = C.fresh<unsigned char>(99);
  auto *Z = C.fresh<unsigned short>(99);
  C.run(Y, Z);
  C.expectClean();
  EXPECT_EQ(C.values(Y, 99)[98], 98);
  EXPECT_EQ(C.values(Z, 99)[98], 98);
}

TEST(EmulatorRaces, WarpSynchronousCodeNeedsSyncwarp) {
  auto Source =
      [](const char *Sync) {
        return std::string(R"(
__global__ void k(float *y) {
  __shared__ float s[32];
  int t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  s[t] = t;
  )") + Sync + R"(
  float v = s[31 - t]; // BUG
  )" + Sync + R"(
  s[t] = v;
  y[t] = s[t];
}
extern "C" cudaError_t go(float *y) { k<<<1, 32>>>(y); return cudaGetLastError(); })";
      };
  Candidate Good(Source("__syncwarp();"));
  float *Y = Good.fresh<float>(32);
  Good.run(Y);
  Good.expectClean();
  EXPECT_EQ(Good.values(Y, 32)[0], 31.f);
  Good.M.reset();
  Candidate Bad(Source(""));
  Bad.run(Bad.fresh<float>(32));
  ASSERT_FALSE(Bad.M->reports().empty());
  EXPECT_EQ(Bad.M->reports().front().Kind, "race");
}

TEST(EmulatorRaces, LaunchesAreOrdered) {
  Candidate C(R"(
__global__ void up(float *y, int n) { int i = blockIdx.x * 32 + threadIdx.x; y[i] += 1; }
__global__ void flip(float *y, int n) { int i = n - 1 - (blockIdx.x * 32 + threadIdx.x); y[i] += 1; }
extern "C" cudaError_t go(float *y, int n) {
  up<<<n / 32, 32>>>(y, n);
  flip<<<n / 32, 32>>>(y, n);
  return cudaGetLastError();
})");
  float *Y = C.buffer(std::vector<float>(128));
  C.run(Y, 128);
  C.expectClean();
  EXPECT_EQ(C.values(Y, 128), std::vector<float>(128, 2));
}

static const char *Lock = R"(
__global__ void k(int *mutex, int *total, int *list, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  bool done = false;
  while (!done) {
    if (atomicCAS(mutex, 0, 1) == 0) {
      FENCE
      list[*total] = i;
      *total += 1; // BUG
      FENCE
      atomicExch(mutex, 0);
      done = true;
    }
  }
}
extern "C" cudaError_t go(int *mutex, int *total, int *list, int n) {
  k<<<(n + 63) / 64, 64>>>(mutex, total, list, n);
  return cudaGetLastError();
})";

static std::string lock(const char *Fence) {
  std::string Text = Lock;
  for (size_t At; (At = Text.find("FENCE")) != std::string::npos;)
    Text.replace(At, 5, Fence);
  return Text;
}

TEST(EmulatorRaces, LocksWithFencesAreClean) {
  for (auto Order : {MachineOptions::Forward, MachineOptions::Reverse,
                     MachineOptions::Random}) {
    MachineOptions O;
    O.Schedule = Order;
    Candidate C(lock("__threadfence();"), O);
    int *Mutex = C.buffer(std::vector<int>(1)),
        *Total = C.buffer(std::vector<int>(1));
    EXPECT_EQ(C.run(Mutex, Total, C.fresh<int>(150, "list"), 150), 0);
    C.expectClean();
    EXPECT_EQ(C.values(Total, 1)[0], 150);
  }
}

TEST(EmulatorRaces, LocksWithoutFences) {
  Candidate C(lock(""));
  C.run(C.buffer(std::vector<int>(1)), C.buffer(std::vector<int>(1)),
        C.fresh<int>(150, "list"), 150);
  ASSERT_FALSE(C.M->reports().empty());
  EXPECT_EQ(C.M->reports().front().Kind, "race");
}

TEST(EmulatorRaces, WrongEverywhereIsStillQuick) {
  Candidate C(R"(
__global__ void k(float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i % n] = i; // BUG
}
extern "C" cudaError_t go(float *y, int n) { k<<<10000, 256>>>(y, n); return cudaGetLastError(); })");
  C.run(C.fresh<float>(100, "y"), 100);
  C.expect("race");
  EXPECT_LE(C.M->reports().size(), 64u);
}
