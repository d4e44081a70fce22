//===- Memory.cpp - bounds, initialisation, pointers ----------------------===//

#include "Harness.h"
#include <numeric>

using namespace autokernel::emulator;

TEST(EmulatorMemory, SaxpyIsRight) {
  Candidate C(R"(
namespace { __global__ void saxpy(int n, float a, const float *__restrict__ x,
                                  float *__restrict__ y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
} }
extern "C" cudaError_t go(int n, float a, float *x, float *y, cudaStream_t s) {
  saxpy<<<(n + 255) / 256, 256, 0, s>>>(n, a, x, y);
  return cudaGetLastError();
})");
  std::vector<float> X(1000), Y(1000, 1);
  std::iota(X.begin(), X.end(), 0.f);
  float *DX = C.buffer(X), *DY = C.buffer(Y);
  EXPECT_EQ(C.run(1000, 2.f, DX, DY, (void *)nullptr), 0);
  std::vector<float> Got = C.values(DY, 1000);
  for (int I = 0; I < 1000; ++I)
    ASSERT_EQ(Got[I], 2.f * X[I] + 1);
  C.expectClean();
  EXPECT_EQ(C.M->statistics().Threads, 1024u);
}

TEST(EmulatorMemory, WriteBehindTheEnd) {
  Candidate C(R"(
__global__ void k(float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = 1; // BUG
}
extern "C" cudaError_t go(float *y) {
  k<<<4, 256>>>(y);
  return cudaGetLastError();
})");
  float *Y = C.fresh<float>(1000, "y");
  EXPECT_EQ(C.run(Y), 700);
  const Report &R = C.expect("out-of-bounds-write");
  EXPECT_EQ(R.Buffer, "y");
  EXPECT_EQ(R.Offset, 4000);
  EXPECT_EQ(R.Block.X, 3u);
  EXPECT_EQ(R.Thread.X, 232u);
  EXPECT_EQ(R.Kernel, "k");
  EXPECT_TRUE(C.M->guardsIntact());
}

TEST(EmulatorMemory, ReadBeforeTheBegin) {
  Candidate C(R"(
__global__ void k(const float *x, float *y) {
  int i = threadIdx.x;
  y[i] = x[i - 1]; // BUG
}
extern "C" cudaError_t go(const float *x, float *y) {
  k<<<1, 32>>>(x, y);
  return cudaGetLastError();
})");
  float *X = C.buffer(std::vector<float>(32), "x"),
        *Y = C.fresh<float>(32, "y");
  C.run(X, Y);
  const Report &R = C.expect("out-of-bounds-read");
  EXPECT_EQ(R.Offset, -4);
}

TEST(EmulatorMemory, OddSizesAreExactToTheByte) {
  const char *Source = R"(
__global__ void k(unsigned char *y, int n) { if (threadIdx.x < n) y[threadIdx.x] = 1; // BUG
}
extern "C" cudaError_t go(unsigned char *y, int n) { k<<<1, 32>>>(y, n); return cudaGetLastError(); })";
  Candidate C(Source);
  auto *Y = C.fresh<unsigned char>(13, "y");
  EXPECT_EQ(C.run(Y, 13), 0);
  C.expectClean();
  C.run(Y, 14);
  EXPECT_EQ(C.expect("out-of-bounds-write").Offset, 13);
}

TEST(EmulatorMemory, UninitialisedGlobal) {
  Candidate C(R"(
__global__ void k(const float *x, float *y) {
  y[threadIdx.x] = x[threadIdx.x]; // BUG
}
extern "C" cudaError_t go(const float *x, float *y) {
  k<<<1, 32>>>(x, y);
  return cudaGetLastError();
})");
  float *X = C.fresh<float>(32, "x"), *Y = C.fresh<float>(32, "y");
  C.run(X, Y);
  EXPECT_EQ(C.expect("uninitialised-read").Buffer, "x");
  EXPECT_EQ(C.M->reports().front().Count, 32u);
}

TEST(EmulatorMemory, UninitialisedShared) {
  Candidate C(R"(
__global__ void k(float *y) {
  __shared__ float tile[64];
  if (threadIdx.x < 32) tile[threadIdx.x] = 1;
  __syncthreads();
  y[blockIdx.x * 64 + threadIdx.x] = tile[threadIdx.x]; // BUG
}
extern "C" cudaError_t go(float *y) { k<<<2, 64>>>(y); return cudaGetLastError(); })");
  C.run(C.fresh<float>(128, "y"));
  EXPECT_EQ(C.expect("uninitialised-read").Buffer, "tile");
}

TEST(EmulatorMemory, SharedIndexOutsideOfTheArray) {
  Candidate C(R"(
__global__ void k(float *y) {
  __shared__ float tile[64];
  tile[threadIdx.x + 1] = 1; // BUG
  __syncthreads();
  y[threadIdx.x] = tile[threadIdx.x];
}
extern "C" cudaError_t go(float *y) { k<<<1, 64>>>(y); return cudaGetLastError(); })");
  C.run(C.fresh<float>(64));
  C.expect("out-of-bounds-index");
}

TEST(EmulatorMemory, SharedPointerOutsideOfTheArray) {
  Candidate C(R"(
__global__ void k(float *y) {
  __shared__ float a[64];
  __shared__ float b[64];
  float *p = a + threadIdx.x;
  b[threadIdx.x] = 0;
  p[1] = 1; // BUG
  __syncthreads();
  y[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}
extern "C" cudaError_t go(float *y) { k<<<1, 64>>>(y); return cudaGetLastError(); })");
  C.run(C.fresh<float>(64));
  const Report &R = C.expect("out-of-bounds-write");
  EXPECT_EQ(R.Buffer, "a");
  EXPECT_EQ(R.Offset, 256);
}

TEST(EmulatorMemory, DynamicSharedTooSmall) {
  Candidate C(R"(
__global__ void k(float *y) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = 1; // BUG
  y[threadIdx.x] = tile[threadIdx.x];
}
extern "C" cudaError_t go(float *y, int bytes) { k<<<1, 64, bytes>>>(y); return cudaGetLastError(); })");
  float *Y = C.fresh<float>(64);
  EXPECT_EQ(C.run(Y, 256), 0);
  C.expectClean();
  C.run(Y, 252);
  EXPECT_EQ(C.expect("out-of-bounds-write").Offset, 252);
}

TEST(EmulatorMemory, LocalArrayIndex) {
  Candidate C(R"(
__global__ void k(float *y, int shift) {
  float r[8];
  for (int i = 0; i < 8; ++i) r[i] = i;
  y[threadIdx.x] = r[threadIdx.x + shift]; // BUG
}
extern "C" cudaError_t go(float *y, int shift) { k<<<1, 8>>>(y, shift); return cudaGetLastError(); })");
  float *Y = C.fresh<float>(8);
  C.run(Y, 0);
  C.expectClean();
  EXPECT_EQ(C.values(Y, 8)[5], 5.f);
  C.run(Y, 1);
  C.expect("out-of-bounds-index");
}

TEST(EmulatorMemory, HostPointer) {
  Candidate C(R"(
__global__ void k(float *y) {
  y[threadIdx.x] = 1; // BUG
}
extern "C" cudaError_t go(float *y) { k<<<1, 8>>>(y); return cudaGetLastError(); })");
  std::vector<float> Host(8, 0);
  C.run(Host.data());
  C.expect("wrong-side-pointer");
  EXPECT_EQ(Host[0], 0.f);
}

TEST(EmulatorMemory, NullPointer) {
  Candidate C(R"(
__global__ void k(float *y) {
  y[threadIdx.x] = 1; // BUG
}
extern "C" cudaError_t go(float *y) { k<<<1, 8>>>(y); return cudaGetLastError(); })");
  C.run((float *)nullptr);
  C.expect("null-pointer");
}

TEST(EmulatorMemory, WildPointerWithoutChecks) {
  EmulatorOptions Unchecked;
  Unchecked.Check = false;
  Candidate C(R"(
__global__ void k(float *y) { y[threadIdx.x] = 1; }
extern "C" cudaError_t go(float *y) { k<<<1, 8>>>(y); return cudaGetLastError(); })",
              {}, Unchecked);
  EXPECT_EQ(C.run((float *)nullptr), 700);
  C.expect("null-pointer");
  EXPECT_EQ(C.run((float *)nullptr), 700) << "the context stays dead";
  C.M->clearReports();
  float *Y = C.fresh<float>(8);
  EXPECT_EQ(C.run(Y), 0);
  C.expectClean();
}

TEST(EmulatorMemory, GuardsShowWhatUncheckedCodeOverwrites) {
  EmulatorOptions Unchecked;
  Unchecked.Check = false;
  Candidate C(R"(
__global__ void k(float *y) { y[threadIdx.x] = 1; }
extern "C" cudaError_t go(float *y) { k<<<1, 8>>>(y); return cudaGetLastError(); })",
              {}, Unchecked);
  C.run(C.fresh<float>(7));
  EXPECT_FALSE(C.M->guardsIntact());
}

TEST(EmulatorMemory, MisalignedVector) {
  Candidate C(R"(
__global__ void k(const float *x, float *y) {
  float4 v = *reinterpret_cast<const float4 *>(x + 4 * threadIdx.x); // BUG
  y[threadIdx.x] = v.x + v.y + v.z + v.w;
}
extern "C" cudaError_t go(const float *x, float *y) { k<<<1, 8>>>(x, y); return cudaGetLastError(); })");
  float *X = C.fresh<float>(32, "x"), *Y = C.fresh<float>(8);
  C.M->fill(X, 0, 128, true);
  EXPECT_EQ(C.run(X, Y), 0);
  C.expectClean();
  float *Odd = C.fresh<float>(32, "odd", 4);
  C.M->fill(Odd, 0, 128, true);
  EXPECT_EQ(C.run(Odd, Y), 716);
  C.expect("misaligned");
}

TEST(EmulatorMemory, MisalignedMember) {
  Candidate C(R"(
__global__ void k(const float *x, float *y) {
  y[threadIdx.x] = reinterpret_cast<const float4 *>(x)[threadIdx.x].x; // BUG
}
extern "C" cudaError_t go(const float *x, float *y) { k<<<1, 8>>>(x, y); return cudaGetLastError(); })");
  float *Odd = C.fresh<float>(32, "odd", 8);
  C.M->fill(Odd, 0, 128, true);
  C.run(Odd, C.fresh<float>(8));
  C.expect("misaligned");
}

TEST(EmulatorMemory, UseAfterRelease) {
  Candidate C(R"(
__global__ void k(float *y) {
  y[threadIdx.x] = 1; // BUG
}
extern "C" cudaError_t go(float *y) { k<<<1, 8>>>(y); return cudaGetLastError(); })");
  float *Y = C.fresh<float>(8);
  C.M->release(Y);
  C.run(Y);
  C.expect("out-of-bounds-write");
}

TEST(EmulatorMemory, ArithmeticErrors) {
  const char *Source = R"(
__global__ void k(int *y, int what, int a, int b) {
  if (what == 0) y[0] = a + b;
  if (what == 1) y[0] = a << b;
  if (what == 2) y[0] = a / b;
  if (what == 3) y[0] = a * b;
}
extern "C" cudaError_t go(int *y, int what, int a, int b) {
  k<<<1, 1>>>(y, what, a, b);
  return cudaGetLastError();
})";
  Candidate C(Source);
  int *Y = C.fresh<int>(1);
  auto Expect = [&](const char *Kind, int Line, int What, int A, int B) {
    C.run(Y, What, A, B);
    EXPECT_EQ(C.expect(Kind).Line, unsigned(Line));
    C.M->clearReports();
  };
  EXPECT_EQ(C.run(Y, 2, 7, 2), 0);
  C.expectClean();
  Expect("signed-overflow", 3, 0, 2147483647, 1);
  Expect("bad-shift", 4, 1, 1, 32);
  Expect("divide-by-zero", 5, 2, 1, 0);
  Expect("signed-overflow", 5, 2, -2147483647 - 1, -1);
  Expect("signed-overflow", 6, 3, 65536, 65536);
}

TEST(EmulatorMemory, HeapEndsWithAnError) {
  MachineOptions Small;
  Small.HeapBytes = 1 << 20;
  Candidate C("extern \"C\" cudaError_t go() { return cudaSuccess; }", Small);
  auto TooMuch = C.M->allocate(2 << 20, "big");
  EXPECT_FALSE(bool(TooMuch));
  llvm::consumeError(TooMuch.takeError());
  for (int I = 0; I < 100; ++I) {
    auto Piece = C.M->allocate(100000, "piece");
    ASSERT_TRUE(bool(Piece)) << I;
    C.M->release(*Piece);
  }
}

TEST(EmulatorMemory, ReleasedMemoryGoesBackToTheSystem) {
  Candidate C(R"(
__global__ void k(unsigned char *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 1; // BUG
}
extern "C" cudaError_t go(unsigned char *y, int n) { k<<<(n + 255) / 256, 256>>>(y, n); return cudaGetLastError(); })");
  int N = 100001;
  for (int I = 0; I < 50; ++I) {
    auto *Y = C.fresh<unsigned char>(N);
    ASSERT_EQ(C.run(Y, N), 0);
    C.M->release(Y);
    if (I == 49)
      C.run(Y + N / 2, 1);
  }
  C.expect("out-of-bounds-write");
}
