//===- Launches.cpp - what launchers do, and what a device refuses --------===//

#include "Harness.h"
#include <nlohmann/json.hpp>

using namespace autokernel::emulator;

TEST(EmulatorLaunches, TooManyThreads) {
  Candidate C(R"(
__global__ void k(float *y) { y[threadIdx.x] = 1; }
extern "C" cudaError_t go(float *y) {
  k<<<1, 2048>>>(y); // BUG
  return cudaGetLastError();
})");
  EXPECT_EQ(C.run(C.fresh<float>(2048)), 9);
  C.expect("bad-launch");
}

TEST(EmulatorLaunches, EmptyGrid) {
  Candidate C(R"(
__global__ void k(float *y, int n) { if (threadIdx.x < n) y[threadIdx.x] = 1; }
extern "C" cudaError_t go(float *y, int n) {
  k<<<(n + 255) / 256, 256>>>(y, n); // BUG
  return cudaGetLastError();
})");
  EXPECT_EQ(C.run(C.fresh<float>(1), 0), 9);
  C.expect("bad-launch");
}

TEST(EmulatorLaunches, GridTooLargeInY) {
  Candidate C(R"(
__global__ void k(float *y) { y[0] = 1; }
extern "C" cudaError_t go(float *y) {
  k<<<dim3(1, 70000), 1>>>(y); // BUG
  return cudaGetLastError();
})");
  EXPECT_EQ(C.run(C.fresh<float>(1)), 9);
  C.expect("bad-launch");
}

TEST(EmulatorLaunches, LaunchBounds) {
  Candidate C(R"(
__global__ __launch_bounds__(128) void k(float *y) { y[threadIdx.x] = 1; }
extern "C" cudaError_t go(float *y) {
  k<<<1, 256>>>(y); // BUG
  return cudaGetLastError();
})");
  EXPECT_NE(C.run(C.fresh<float>(256)), 0);
  C.expect("bad-launch");
}

static const char *DynamicShared = R"(
__global__ void k(float *y, int n) {
  extern __shared__ float s[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) y[0] = s[n - 1];
}
extern "C" cudaError_t go(float *y, int n) {
  OPT_IN
  k<<<1, 64, n * sizeof(float)>>>(y, n); // BUG
  return cudaGetLastError();
})";

static std::string dynamicShared(const char *OptIn) {
  std::string Text = DynamicShared;
  return Text.replace(Text.find("OPT_IN"), 6, OptIn);
}

TEST(EmulatorLaunches, TooMuchSharedMemory) {
  Candidate C(dynamicShared(""));
  float *Y = C.fresh<float>(1);
  EXPECT_EQ(C.run(Y, 12288), 0);
  EXPECT_EQ(C.values(Y, 1)[0], 12287.f);
  C.expectClean();
  EXPECT_NE(C.run(Y, 12289), 0);
  C.expect("shared-overflow");
}

TEST(EmulatorLaunches, OptingInToMoreSharedMemory) {
  Candidate C(
      dynamicShared("cudaFuncSetAttribute(k, "
                    "cudaFuncAttributeMaxDynamicSharedMemorySize, n * 4);"));
  float *Y = C.fresh<float>(1);
  EXPECT_EQ(C.run(Y, 50000), 0);
  EXPECT_EQ(C.values(Y, 1)[0], 49999.f);
  C.expectClean();
  EXPECT_NE(C.run(Y, 60000), 0);
  EXPECT_EQ(C.M->reports().front().Kind, "shared-overflow");
}

TEST(EmulatorLaunches, FillsAndCopies) {
  Candidate C(R"(
extern "C" cudaError_t go(float *a, float *b, int n, cudaStream_t s) {
  cudaMemsetAsync(a, 0, n * sizeof(float), s);
  return cudaMemcpyAsync(b, a, n * sizeof(float), cudaMemcpyDeviceToDevice, s); // BUG
})");
  float *A = C.fresh<float>(10, "a"), *B = C.fresh<float>(8, "b");
  EXPECT_EQ(C.run(A, B, 8, (void *)nullptr), 0);
  EXPECT_EQ(C.values(B, 8), std::vector<float>(8));
  C.expectClean();
  EXPECT_EQ(C.run(A, B, 9, (void *)nullptr), 1);
  EXPECT_EQ(C.expect("out-of-bounds-write").Buffer, "b");
}

TEST(EmulatorLaunches, QueriesOfTheDevice) {
  Candidate C(R"(
__global__ void k(float *y) { y[0] = 1; }
extern "C" int go() {
  int device, sms, blocks, grid, block;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 256, 0);
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, k);
  return sms + 1000 * blocks + 100000 * block;
})");
  EXPECT_EQ(C.run(), 16 + 8000 + 25600000);
}

TEST(EmulatorLaunches, SelfMadeErrorsAreSeenOnce) {
  Candidate C(R"(
__global__ void k(float *y) { y[0] = 1; }
extern "C" int go(float *y) {
  k<<<0, 1>>>(y);
  int peek = cudaPeekAtLastError(), get = cudaGetLastError(), again = cudaGetLastError();
  return peek * 10000 + get * 100 + again;
})");
  EXPECT_EQ(C.run(C.fresh<float>(1)), 90900);
}

TEST(EmulatorLaunches, ReportsAsJSON) {
  Candidate C(R"(
__global__ void k(float *y) { y[threadIdx.x] = 1; }
extern "C" cudaError_t go(float *y) { k<<<1, 8>>>(y); return cudaGetLastError(); })");
  C.run(C.fresh<float>(7, "y"));
  ASSERT_EQ(C.M->reports().size(), 1u);
  nlohmann::json J = toJSON(C.M->reports().front());
  EXPECT_EQ(J["kind"], "out-of-bounds-write");
  EXPECT_EQ(J["line"], 2);
  EXPECT_EQ(J["buffer"], "y");
  EXPECT_EQ(J["offset"], 28);
  EXPECT_EQ(J["thread"], (nlohmann::json{7, 0, 0}));
  std::string Text = toString(C.M->reports().front());
  EXPECT_NE(Text.find("candidate.cu:2"), std::string::npos) << Text;
}

TEST(EmulatorLaunches, OneMachineAfterTheOther) {
  for (int I = 0; I < 3; ++I) {
    Candidate C(R"(
__device__ int calls = 40;
__global__ void k(int *y) { y[0] = ++calls; }
extern "C" cudaError_t go(int *y) { k<<<1, 1>>>(y); return cudaGetLastError(); })");
    int *Y = C.fresh<int>(1);
    C.run(Y);
    C.run(Y);
    EXPECT_EQ(C.values(Y, 1)[0], 42);
    C.expectClean();
  }
}
