//===- Features.cpp - the language: templates, variables, types -----------===//

#include "Harness.h"
#include <numeric>

using namespace autokernel::emulator;

TEST(EmulatorFeatures, KernelsOfAllLinkages) {
  Candidate C(R"(
template <class T, int N> __global__ void viaTemplate(T *y) { y[0] = N; }
static __global__ void viaStatic(float *y) { y[1] = 2; }
namespace { __global__ void viaUnnamed(float *y) { y[2] = 3; } }
namespace a { namespace { template <class T> __global__ void both(T *y) { y[3] = 4; } } }
extern "C" __global__ void viaC(float *y) { y[4] = 5; }
template <class F> __global__ void apply(float *y, F f) { y[5] = f(3.f); }
extern "C" cudaError_t go(float *y, float scale) {
  viaTemplate<float, 1><<<1, 1>>>(y);
  viaStatic<<<1, 1>>>(y);
  viaUnnamed<<<1, 1>>>(y);
  a::both<float><<<1, 1>>>(y);
  viaC<<<1, 1>>>(y);
  apply<<<1, 1>>>(y, [=] __device__(float v) { return v * scale; });
  void (*p)(float *) = viaStatic;
  p<<<1, 1>>>(y + 5);
  return cudaGetLastError();
})");
  float *Y = C.fresh<float>(7);
  EXPECT_EQ(C.run(Y, 2.f), 0);
  C.expectClean();
  EXPECT_EQ(C.values(Y, 7), (std::vector<float>{1, 2, 3, 4, 5, 6, 2}));
  EXPECT_EQ(C.Kernels.size(), 6u);
}

TEST(EmulatorFeatures, ArgumentsOfEveryShape) {
  Candidate C(R"(
struct Two { float a, b; };
struct Mixed { double d; int i; };
struct Large { float v[20]; };
struct Empty {};
struct Nested { Two t; char c; };
__global__ void k(float *y, bool flag, char c, short s, Two two, Empty, Mixed m, Large l,
                  long long ll, double d, float3 f3, float4 f4, Nested n, unsigned char u, dim3 dim) {
  y[0] = flag + c + s + two.a + two.b + m.d + m.i + l.v[0] + l.v[19] + ll + d + f3.x + f3.y +
         f3.z + f4.x + f4.y + f4.z + f4.w + n.t.a + n.t.b + n.c + u + dim.x + dim.y + dim.z;
}
extern "C" cudaError_t go(float *y) {
  Large l = {};
  l.v[0] = 1; l.v[19] = 2;
  k<<<1, 1>>>(y, true, -3, 300, Two{1, 2}, Empty{}, Mixed{0.5, 7}, l, 1000ll, 0.25,
              make_float3(1, 2, 3), make_float4(1, 2, 3, 4), Nested{{5, 6}, 7}, 200, dim3(3, 4, 5));
  return cudaGetLastError();
})");
  float *Y = C.fresh<float>(1);
  C.run(Y);
  C.expectClean();
  EXPECT_EQ(C.values(Y, 1)[0], 1 - 3 + 300 + 3 + 7.5f + 3 + 1000 + 0.25f + 6 +
                                   10 + 11 + 7 + 200 + 12);
}

TEST(EmulatorFeatures, DeviceAndConstantVariables) {
  Candidate C(R"(
__constant__ float weights[4];
__constant__ int fixed[3] = {10, 20, 30};
__device__ int table[4] = {1, 2, 3, 4};
__device__ int counter;
constexpr float factors[2] = {0.5f, 2.f};
static const __device__ int more[2] = {5, 6};
__global__ void k(float *y) {
  int t = threadIdx.x;
  y[t] = weights[t] + fixed[t % 3] + table[t] + factors[t % 2] + more[t % 2];
  atomicAdd(&counter, 1);
}
__global__ void read(int *n) { *n = counter; }
extern "C" cudaError_t go(float *y, int *n) {
  float w[4] = {100, 200, 300, 400};
  cudaMemcpyToSymbol(weights, w, sizeof w);
  k<<<1, 4>>>(y);
  read<<<1, 1>>>(n);
  return cudaGetLastError();
})");
  float *Y = C.fresh<float>(4);
  int *N = C.fresh<int>(1);
  EXPECT_EQ(C.run(Y, N), 0);
  C.expectClean();
  EXPECT_EQ(C.values(Y, 4), (std::vector<float>{116.5, 230, 338.5, 422}));
  EXPECT_EQ(C.values(N, 1)[0], 4);
}

TEST(EmulatorFeatures, RaceOnADeviceVariable) {
  Candidate C(R"(
__device__ int counter;
__global__ void k() {
  counter = counter + 1; // BUG
}
extern "C" cudaError_t go() { k<<<1, 64>>>(); return cudaGetLastError(); })");
  C.run();
  EXPECT_EQ(C.expect("race").Buffer, "counter");
}

TEST(EmulatorFeatures, BuiltInVariablesIn3D) {
  Candidate C(R"(
__global__ void k(int *y) {
  int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  int i = block * (blockDim.x * blockDim.y * blockDim.z) + thread;
  y[i] = i * 32 / warpSize;
}
extern "C" cudaError_t go(int *y) { k<<<dim3(2, 3, 4), dim3(5, 3, 2)>>>(y); return cudaGetLastError(); })");
  int *Y = C.fresh<int>(720);
  C.run(Y);
  C.expectClean();
  std::vector<int> Want(720);
  std::iota(Want.begin(), Want.end(), 0);
  EXPECT_EQ(C.values(Y, 720), Want);
}

TEST(EmulatorFeatures, VectorsAndReinterpretation) {
  Candidate C(R"(
__global__ void k(const float *__restrict__ x, float *y, int n4) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n4) return;
  float4 v = __ldg(reinterpret_cast<const float4 *>(x) + i);
  v.x *= 2; v.y += 1; v.z = -v.z; v.w = v.x;
  reinterpret_cast<float4 *>(y)[i] = v;
  double2 d = make_double2(v.x, v.y);
  int2 j = {1, 2};
  uchar4 u = make_uchar4(1, 2, 3, 4);
  if (d.x + j.y + u.w == -12345) y[0] = 0;
}
extern "C" cudaError_t go(const float *x, float *y, int n4) { k<<<1, 64>>>(x, y, n4); return cudaGetLastError(); })");
  std::vector<float> X(200);
  std::iota(X.begin(), X.end(), 0.f);
  float *Y = C.fresh<float>(200);
  C.run(C.buffer(X), Y, 50);
  C.expectClean();
  std::vector<float> V = C.values(Y, 200);
  EXPECT_EQ(V[4], 8.f);
  EXPECT_EQ(V[5], 6.f);
  EXPECT_EQ(V[6], -6.f);
  EXPECT_EQ(V[7], 8.f);
}

TEST(EmulatorFeatures, TiledMatrixProduct) {
  for (bool Contract : {false, true}) {
    EmulatorOptions E;
    E.Contract = Contract;
    Candidate C(R"(
constexpr int T = 16;
template <int N> __device__ __forceinline__ void load(float (&tile)[N][N + 1], const float *m, int row, int col, int rows, int cols) {
  tile[threadIdx.y][threadIdx.x] = row < rows && col < cols ? m[row * cols + col] : 0.f;
}
__global__ void mm(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[T][T + 1], bs[T][T + 1];
  int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
  float acc = 0;
  for (int t = 0; t < k; t += T) {
    load<T>(as, a, row, t + threadIdx.x, m, k);
    load<T>(bs, b, t + threadIdx.y, col, k, n);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < T; ++i) acc += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = acc;
}
extern "C" cudaError_t go(const float *a, const float *b, float *c, int m, int n, int k) {
  mm<<<dim3((n + T - 1) / T, (m + T - 1) / T), dim3(T, T)>>>(a, b, c, m, n, k);
  return cudaGetLastError();
})",
                {}, E);
    int M = 33, N = 20, K = 50;
    std::vector<float> A(M * K), B(K * N);
    for (size_t I = 0; I < A.size(); ++I)
      A[I] = int(I % 7) - 3;
    for (size_t I = 0; I < B.size(); ++I)
      B[I] = int(I % 5) - 2;
    float *D = C.fresh<float>(M * N);
    EXPECT_EQ(C.run(C.buffer(A), C.buffer(B), D, M, N, K), 0);
    C.expectClean();
    std::vector<float> V = C.values(D, M * N);
    for (int I = 0; I < M; ++I)
      for (int J = 0; J < N; ++J) {
        float S = 0;
        for (int L = 0; L < K; ++L)
          S += A[I * K + L] * B[L * N + J];
        ASSERT_EQ(V[I * N + J], S);
      }
  }
}

TEST(EmulatorFeatures, EveryAtomic) {
  Candidate C(R"(
#include <cuda_fp16.h>
__global__ void k(int *i, unsigned *u, unsigned long long *l, float *f, double *d, __half *h) {
  int t = threadIdx.x;
  atomicAdd(i + 0, 2); atomicSub(i + 1, 1); atomicMin(i + 2, -t); atomicMax(i + 3, t);
  atomicAnd(i + 4, ~(1 << (t % 8))); atomicOr(i + 5, 1 << (t % 8)); atomicXor(i + 6, t);
  atomicExch(i + 7, 9);
  atomicInc(u + 0, 9); atomicDec(u + 1, 9); atomicAdd(u + 2, 1u); atomicMax(u + 3, (unsigned)t);
  int old, seen = 0;
  do { old = seen; seen = atomicCAS(i + 8, old, old + 3); } while (seen != old);
  atomicAdd(l, 1ull << 33); atomicMax(l + 1, (unsigned long long)t << 40);
  atomicAdd(f, 0.5f); atomicAdd(d, 0.25); atomicAdd(h, __float2half(1.f));
}
extern "C" cudaError_t go(int *i, unsigned *u, unsigned long long *l, float *f, double *d, void *h) {
  k<<<1, 64>>>(i, u, l, f, d, (__half *)h);
  return cudaGetLastError();
})");
  int *I = C.buffer(std::vector<int>{0, 0, 0, 0, 255, 0, 0, 0, 0});
  auto *U = C.buffer(std::vector<unsigned>(4));
  auto *L = C.buffer(std::vector<unsigned long long>(2));
  auto *F = C.buffer(std::vector<float>(1));
  auto *D = C.buffer(std::vector<double>(1));
  auto *H = C.buffer(std::vector<unsigned short>(1));
  EXPECT_EQ(C.run(I, U, L, F, D, (void *)H), 0);
  C.expectClean();
  EXPECT_EQ(C.values(I, 9),
            (std::vector<int>{128, -64, -63, 63, 0, 255, 0, 9, 192}));
  EXPECT_EQ(C.values(U, 4), (std::vector<unsigned>{4, 6, 64, 63}));
  EXPECT_EQ(C.values(L, 2),
            (std::vector<unsigned long long>{64ull << 33, 63ull << 40}));
  EXPECT_EQ(C.values(F, 1)[0], 32.f);
  EXPECT_EQ(C.values(D, 1)[0], 16.0);
  EXPECT_EQ(C.values(H, 1)[0], 0x5400);
}

/// As measured on an H200: global memory flushes, shared memory doesn't.
TEST(EmulatorFeatures, AtomicAddOfSubnormals) {
  Candidate C(R"(
__global__ void k(float *f) {
  __shared__ float s;
  s = 1e-40f;
  atomicAdd(f, 1e-40f);
  atomicAdd(&s, 1e-40f);
  f[1] = s;
}
extern "C" cudaError_t go(float *f) {
  k<<<1, 1>>>(f);
  return cudaGetLastError();
})");
  auto *F = C.buffer(std::vector<float>{1e-40f, 0});
  EXPECT_EQ(C.run(F), 0);
  C.expectClean();
  EXPECT_EQ(C.values(F, 2)[0], 0.f);
  EXPECT_EQ(C.values(F, 2)[1], 1e-40f + 1e-40f);
}

TEST(EmulatorFeatures, PrintfAssertAndTrap) {
  const char *Source = R"(
#include <cassert>
#include <cstdio>
__global__ void k(int what) {
  if (threadIdx.x == 0) printf("thread %d of %s: %g\n", (int)threadIdx.x, "block", 1.5);
  if (what == 1) assert(threadIdx.x < 3);
  if (what == 2) __trap();
}
extern "C" cudaError_t go(int what) { k<<<1, 8>>>(what); return cudaGetLastError(); })";
  Candidate C(Source);
  EXPECT_EQ(C.run(0), 0);
  C.expectClean();
  EXPECT_EQ(C.M->printed(), "thread 0 of block: 1.5\n");
  EXPECT_NE(C.run(1), 0);
  EXPECT_EQ(C.expect("assertion").Line, 6u);
  EXPECT_EQ(C.M->reports().front().Thread.X, 3u);
  C.M->clearReports();
  EXPECT_NE(C.run(2), 0);
  EXPECT_EQ(C.expect("trap").Line, 7u);
}

TEST(EmulatorFeatures, LocalArraysAndPointersToThem) {
  Candidate C(R"(
__device__ __noinline__ float total(const float *v, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i) s += v[i];
  return s;
}
__global__ void k(float *y) {
  float v[40];
  for (int i = 0; i < 40; ++i) v[i] = i * threadIdx.x;
  __syncthreads();
  y[threadIdx.x] = total(v, 40);
}
extern "C" cudaError_t go(float *y) { k<<<1, 64>>>(y); return cudaGetLastError(); })");
  float *Y = C.fresh<float>(64);
  C.run(Y);
  C.expectClean();
  EXPECT_EQ(C.values(Y, 64)[3], 3.f * 780);
}

TEST(EmulatorFeatures, RecursionWithoutEndIsReported) {
  Candidate C(R"(
__device__ __noinline__ int f(volatile int *x) { return *x ? f(x) + f(x) + 1 : 0; }
__global__ void k(int *x) { *x = f(x); }
extern "C" cudaError_t go(int *x) { k<<<1, 1>>>(x); return cudaGetLastError(); })");
  EXPECT_EQ(C.run(C.buffer(std::vector<int>(1, 1))), 700);
  EXPECT_EQ(C.M->reports().front().Kind, "stack-overflow");
}

TEST(EmulatorFeatures, StaticVariablesInFunctionsAreChecked) {
  Candidate C(R"(
__global__ void k(int *y) {
  static __device__ int last;
  last = threadIdx.x; // BUG
  y[threadIdx.x] = last;
}
extern "C" cudaError_t go(int *y) { k<<<1, 64>>>(y); return cudaGetLastError(); })");
  C.run(C.fresh<int>(64));
  EXPECT_EQ(C.expect("race").Buffer, "last");
}
