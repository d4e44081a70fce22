//===- Kernels.cpp - honest kernels in every schedule: no report ----------===//
//
// The styles that candidates come in. None may raise a false alarm, and each
// result is known.
//
//===----------------------------------------------------------------------===//

#include "Harness.h"
#include <cmath>
#include <numeric>

using namespace autokernel::emulator;

class EmulatorKernels : public testing::TestWithParam<MachineOptions::Order> {
protected:
  MachineOptions machine() const {
    MachineOptions O;
    O.Schedule = GetParam();
    O.Seed = 42;
    return O;
  }
};

INSTANTIATE_TEST_SUITE_P(
    Schedules, EmulatorKernels,
    testing::Values(MachineOptions::Forward, MachineOptions::Reverse,
                    MachineOptions::Random),
    [](const auto &Info) {
      return std::string(Info.param == MachineOptions::Forward   ? "Forward"
                         : Info.param == MachineOptions::Reverse ? "Reverse"
                                                                 : "Random");
    });

static std::vector<float> wave(size_t N) {
  std::vector<float> V(N);
  for (size_t I = 0; I < N; ++I)
    V[I] = float(int(I * 37 % 101) - 50) / 16;
  return V;
}

TEST_P(EmulatorKernels, SoftmaxOfRows) {
  Candidate C(R"(
#include <float.h>
__device__ float warpMax(float v) {
  for (int d = 16; d > 0; d >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffff, v, d));
  return v;
}
__device__ float warpSum(float v) {
#pragma unroll
  for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(0xffffffff, v, d);
  return v;
}
template <int Threads> __global__ void softmax(const float *__restrict__ x, float *__restrict__ y, int cols) {
  __shared__ float part[Threads / 32];
  const float *row = x + (size_t)blockIdx.x * cols;
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  float m = -FLT_MAX;
  for (int i = threadIdx.x; i < cols; i += Threads) m = fmaxf(m, row[i]);
  m = warpMax(m);
  if (lane == 0) part[warp] = m;
  __syncthreads();
  m = warpMax(lane < Threads / 32 ? part[lane] : -FLT_MAX);
  float s = 0;
  for (int i = threadIdx.x; i < cols; i += Threads) s += __expf(row[i] - m);
  s = warpSum(s);
  __syncthreads();
  if (lane == 0) part[warp] = s;
  __syncthreads();
  s = warpSum(lane < Threads / 32 ? part[lane] : 0.f);
  for (int i = threadIdx.x; i < cols; i += Threads) y[(size_t)blockIdx.x * cols + i] = __expf(row[i] - m) / s;
}
extern "C" cudaError_t go(const float *x, float *y, int rows, int cols) {
  softmax<128><<<rows, 128>>>(x, y, cols);
  return cudaGetLastError();
})",
              machine());
  int Rows = 5, Cols = 301;
  std::vector<float> X = wave(Rows * Cols);
  float *Y = C.fresh<float>(X.size());
  EXPECT_EQ(C.run(C.buffer(X), Y, Rows, Cols), 0);
  C.expectClean();
  std::vector<float> V = C.values(Y, X.size());
  for (int R = 0; R < Rows; ++R)
    EXPECT_NEAR(std::accumulate(&V[R * Cols], &V[R * Cols] + Cols, 0.f), 1,
                1e-5);
}

TEST_P(EmulatorKernels, ScanOfABlockWithPadding) {
  Candidate C(R"(
#define PAD(i) ((i) + ((i) >> 5))
__global__ void scan(int *out, const int *in, int n) {
  extern __shared__ int temp[];
  int t = threadIdx.x, offset = 1;
  temp[PAD(2 * t)] = in[2 * t];
  temp[PAD(2 * t + 1)] = in[2 * t + 1];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) {
      int a = PAD(offset * (2 * t + 1) - 1), b = PAD(offset * (2 * t + 2) - 1);
      temp[b] += temp[a];
    }
    offset *= 2;
  }
  if (t == 0) temp[PAD(n - 1)] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      int a = PAD(offset * (2 * t + 1) - 1), b = PAD(offset * (2 * t + 2) - 1);
      int v = temp[a];
      temp[a] = temp[b];
      temp[b] += v;
    }
  }
  __syncthreads();
  out[2 * t] = temp[PAD(2 * t)];
  out[2 * t + 1] = temp[PAD(2 * t + 1)];
}
extern "C" cudaError_t go(int *out, const int *in, int n) {
  scan<<<1, n / 2, (PAD(n - 1) + 1) * sizeof(int)>>>(out, in, n);
  return cudaGetLastError();
})",
              machine());
  int N = 512;
  std::vector<int> X(N);
  for (int I = 0; I < N; ++I)
    X[I] = I % 9;
  int *Y = C.fresh<int>(N);
  EXPECT_EQ(C.run(Y, C.buffer(X), N), 0);
  C.expectClean();
  std::vector<int> Want(N);
  std::exclusive_scan(X.begin(), X.end(), Want.begin(), 0);
  EXPECT_EQ(C.values(Y, N), Want);
}

TEST_P(EmulatorKernels, ScanWithLookBack) {
  Candidate C(R"(
__device__ unsigned ticket;
__global__ void scan(const int *x, int *y, volatile int *sums, volatile int *flags, int n) {
  __shared__ int part[64];
  __shared__ int block, before;
  if (threadIdx.x == 0) block = atomicAdd(&ticket, 1u);
  __syncthreads();
  int i = block * 64 + threadIdx.x;
  part[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  for (int d = 1; d < 64; d *= 2) {
    int v = threadIdx.x >= d ? part[threadIdx.x - d] : 0;
    __syncthreads();
    part[threadIdx.x] += v;
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    before = 0;
    if (block > 0) {
      while (flags[block - 1] == 0) ;
      __threadfence();
      before = sums[block - 1];
    }
    sums[block] = before + part[63];
    __threadfence();
    flags[block] = 1;
  }
  __syncthreads();
  if (i < n) y[i] = before + part[threadIdx.x];
}
extern "C" cudaError_t go(const int *x, int *y, int *sums, int *flags, int n) {
  int blocks = (n + 63) / 64;
  cudaMemsetAsync(flags, 0, blocks * sizeof(int));
  unsigned zero = 0;
  cudaMemcpyToSymbolAsync(ticket, &zero, sizeof zero);
  scan<<<blocks, 64>>>(x, y, sums, flags, n);
  return cudaGetLastError();
})",
              machine());
  int N = 1000;
  std::vector<int> X(N);
  for (int I = 0; I < N; ++I)
    X[I] = I % 9 - 3;
  int *Y = C.fresh<int>(N), *Sums = C.fresh<int>(16), *Flags = C.fresh<int>(16);
  EXPECT_EQ(C.run(C.buffer(X), Y, Sums, Flags, N), 0);
  C.expectClean();
  std::vector<int> Want(N);
  std::inclusive_scan(X.begin(), X.end(), Want.begin());
  EXPECT_EQ(C.values(Y, N), Want);
}

TEST_P(EmulatorKernels, TransposeThroughPaddedTile) {
  Candidate C(R"(
constexpr int TILE = 32, ROWS = 8;
__global__ void transpose(float *__restrict__ out, const float *__restrict__ in, int w, int h) {
  __shared__ float tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS)
    if (x < w && y + j < h) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS)
    if (x < h && y + j < w) out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}
extern "C" cudaError_t go(float *out, const float *in, int w, int h) {
  transpose<<<dim3((w + 31) / 32, (h + 31) / 32), dim3(32, 8)>>>(out, in, w, h);
  return cudaGetLastError();
})",
              machine());
  int W = 45, H = 70;
  std::vector<float> X = wave(W * H);
  float *Y = C.fresh<float>(X.size());
  C.run(Y, C.buffer(X), W, H);
  C.expectClean();
  std::vector<float> V = C.values(Y, X.size());
  for (int I = 0; I < H; ++I)
    for (int J = 0; J < W; ++J)
      ASSERT_EQ(V[J * H + I], X[I * W + J]);
}

TEST_P(EmulatorKernels, StencilWithHalo) {
  Candidate C(R"(
#define R 3
__constant__ float c[2 * R + 1];
__global__ void stencil(const float *in, float *out, int n) {
  __shared__ float s[128 + 2 * R];
  int g = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x + R;
  s[l] = g < n ? in[g] : 0.f;
  if (threadIdx.x < R) {
    s[l - R] = g >= R ? in[g - R] : 0.f;
    s[l + blockDim.x] = g + (int)blockDim.x < n ? in[g + blockDim.x] : 0.f;
  }
  __syncthreads();
  float v = 0;
#pragma unroll
  for (int o = -R; o <= R; ++o) v = fmaf(c[o + R], s[l + o], v);
  if (g < n) out[g] = v;
}
extern "C" cudaError_t go(const float *in, float *out, int n) {
  const float w[2 * R + 1] = {1, 2, 3, 4, 3, 2, 1};
  cudaMemcpyToSymbol(c, w, sizeof w);
  stencil<<<(n + 127) / 128, 128>>>(in, out, n);
  return cudaGetLastError();
})",
              machine());
  float *Y = C.fresh<float>(500);
  C.run(C.buffer(std::vector<float>(500, 1)), Y, 500);
  C.expectClean();
  std::vector<float> V = C.values(Y, 500);
  EXPECT_EQ(V[0], 10.f);
  EXPECT_EQ(V[250], 16.f);
}

TEST_P(EmulatorKernels, BitonicSort) {
  Candidate C(R"(
__global__ void sort(float *x, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = t < n ? x[t] : INFINITY;
  for (int k = 2; k <= 256; k <<= 1)
    for (int j = k >> 1; j > 0; j >>= 1) {
      __syncthreads();
      int p = t ^ j;
      if (p > t) {
        float a = s[t], b = s[p];
        if ((a > b) == ((t & k) == 0)) { s[t] = b; s[p] = a; }
      }
    }
  __syncthreads();
  if (t < n) x[t] = s[t];
}
extern "C" cudaError_t go(float *x, int n) { sort<<<1, 256>>>(x, n); return cudaGetLastError(); })",
              machine());
  std::vector<float> X = wave(200);
  float *D = C.buffer(X);
  C.run(D, 200);
  C.expectClean();
  std::sort(X.begin(), X.end());
  EXPECT_EQ(C.values(D, 200), X);
}

TEST_P(EmulatorKernels, WarpAggregatedCompaction) {
  Candidate C(R"(
__device__ int grab(int *count) {
  unsigned active = __activemask();
  int lane = threadIdx.x & 31, leader = __ffs(active) - 1, base = 0;
  if (lane == leader) base = atomicAdd(count, __popc(active));
  base = __shfl_sync(active, base, leader);
  return base + __popc(active & ((1u << lane) - 1));
}
__global__ void compact(const int *x, int *y, int *count, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (x[i] > 4) y[grab(count)] = x[i];
}
extern "C" cudaError_t go(const int *x, int *y, int *count, int n) {
  cudaMemsetAsync(count, 0, sizeof(int));
  compact<<<3, 96>>>(x, y, count, n);
  return cudaGetLastError();
})",
              machine());
  std::vector<int> X(1000);
  for (int I = 0; I < 1000; ++I)
    X[I] = I % 9;
  int Want = std::count_if(X.begin(), X.end(), [](int V) { return V > 4; });
  int *Y = C.fresh<int>(Want), *Count = C.fresh<int>(1);
  C.run(C.buffer(X), Y, Count, 1000);
  C.expectClean();
  EXPECT_EQ(C.values(Count, 1)[0], Want);
}

TEST_P(EmulatorKernels, AttentionWithOnlineSoftmax) {
  Candidate C(R"(
constexpr int D = 32, B = 16;
__global__ void attention(const float *q, const float *k, const float *v, float *o, int n, float scale) {
  __shared__ float ks[B][D + 1], vs[B][D + 1];
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float qr[D], acc[D], m = -INFINITY, l = 0;
  for (int d = 0; d < D; ++d) { qr[d] = row < n ? q[row * D + d] : 0; acc[d] = 0; }
  for (int t = 0; t < n; t += B) {
    for (int i = threadIdx.x; i < B * D; i += blockDim.x) {
      int r = i / D, c = i % D;
      ks[r][c] = t + r < n ? k[(t + r) * D + c] : 0;
      vs[r][c] = t + r < n ? v[(t + r) * D + c] : 0;
    }
    __syncthreads();
    for (int j = 0; j < B && t + j < n; ++j) {
      float s = 0;
      for (int d = 0; d < D; ++d) s += qr[d] * ks[j][d];
      s *= scale;
      float nm = fmaxf(m, s), a = expf(m - nm), p = expf(s - nm);
      l = l * a + p;
      for (int d = 0; d < D; ++d) acc[d] = acc[d] * a + p * vs[j][d];
      m = nm;
    }
    __syncthreads();
  }
  if (row < n) for (int d = 0; d < D; ++d) o[row * D + d] = acc[d] / l;
}
extern "C" cudaError_t go(const float *q, const float *k, const float *v, float *o, int n) {
  attention<<<(n + 31) / 32, 32>>>(q, k, v, o, n, 0.25f);
  return cudaGetLastError();
})",
              machine());
  int N = 50;
  std::vector<float> X = wave(N * 32), Ones(N * 32, 1);
  float *O = C.fresh<float>(N * 32);
  C.run(C.buffer(X), C.buffer(X), C.buffer(Ones), O, N);
  C.expectClean();
  for (float V : C.values(O, N * 32))
    ASSERT_NEAR(V, 1, 1e-5);
}

TEST_P(EmulatorKernels, DoubleBufferedTilesAndVectors) {
  Candidate C(R"(
template <int T> __global__ void dot(const float4 *__restrict__ a, const float4 *__restrict__ b, float *out, int n4) {
  __shared__ float4 s[2][T];
  float acc = 0;
  int stage = 0, t = threadIdx.x;
  s[0][t] = t < n4 ? a[t] : make_float4(0, 0, 0, 0);
  __syncthreads();
  for (int i = 0; i < n4; i += T, stage ^= 1) {
    int next = i + T + t;
    s[stage ^ 1][t] = next < n4 ? a[next] : make_float4(0, 0, 0, 0);
    float4 x = s[stage][T - 1 - t];
    int at = i + T - 1 - t;
    if (at < n4) {
      float4 y = b[at];
      acc += x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
    }
    __syncthreads();
  }
  atomicAdd(out, acc);
}
extern "C" cudaError_t go(const float *a, const float *b, float *out, int n) {
  cudaMemsetAsync(out, 0, 4);
  dot<64><<<1, 64>>>((const float4 *)a, (const float4 *)b, out, n / 4);
  return cudaGetLastError();
})",
              machine());
  std::vector<float> A(800), B(800, 1);
  std::iota(A.begin(), A.end(), 0.f);
  float *Out = C.fresh<float>(1);
  EXPECT_EQ(C.run(C.buffer(A), C.buffer(B), Out, 800), 0);
  C.expectClean();
  EXPECT_EQ(C.values(Out, 1)[0], 799.f * 400);
}

TEST_P(EmulatorKernels, WarpPerRowWithSharedScratch) {
  Candidate C(R"(
__global__ void norms(const float *x, float *y, int rows, int cols) {
  __shared__ float scratch[4][32];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int r = blockIdx.x * 4 + warp; r < rows; r += gridDim.x * 4) {
    float s = 0;
    for (int c = lane; c < cols; c += 32) s += x[r * cols + c] * x[r * cols + c];
    scratch[warp][lane] = s;
    __syncwarp();
    for (int d = 16; d > 0; d /= 2) {
      if (lane < d) scratch[warp][lane] += scratch[warp][lane + d];
      __syncwarp();
    }
    if (lane == 0) y[r] = sqrtf(scratch[warp][0]);
    __syncwarp();
  }
}
extern "C" cudaError_t go(const float *x, float *y, int rows, int cols) {
  norms<<<2, 128>>>(x, y, rows, cols);
  return cudaGetLastError();
})",
              machine());
  float *Y = C.fresh<float>(21);
  C.run(C.buffer(std::vector<float>(21 * 49, 2)), Y, 21, 49);
  C.expectClean();
  EXPECT_EQ(C.values(Y, 21), std::vector<float>(21, 14));
}

TEST_P(EmulatorKernels, ReductionOfHalvesToMaximumByCas) {
  Candidate C(R"(
#include <cuda_fp16.h>
__device__ void atomicMaxFloat(float *p, float v) {
  int *i = (int *)p, old = *(volatile int *)i, seen;
  do {
    seen = old;
    if (__int_as_float(seen) >= v) return;
    old = atomicCAS(i, seen, __float_as_int(v));
  } while (old != seen);
}
__global__ void maximum(const __half *x, float *out, int n) {
  float m = -INFINITY;
  const __half2 *x2 = reinterpret_cast<const __half2 *>(x);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 2; i += gridDim.x * blockDim.x) {
    float2 v = __half22float2(x2[i]);
    m = fmaxf(m, fmaxf(v.x, v.y));
  }
  atomicMaxFloat(out, m);
}
__global__ void convert(const float *x, __half *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __float2half(x[i]);
}
__global__ void start(float *out) { *out = -INFINITY; }
extern "C" cudaError_t go(const float *x, void *h, float *out, int n) {
  start<<<1, 1>>>(out);
  convert<<<(n + 127) / 128, 128>>>(x, (__half *)h, n);
  maximum<<<2, 64>>>((const __half *)h, out, n);
  return cudaGetLastError();
})",
              machine());
  std::vector<float> X = wave(1000);
  float *Out = C.fresh<float>(1);
  auto *H = C.fresh<unsigned short>(1000);
  EXPECT_EQ(C.run(C.buffer(X), (void *)H, Out, 1000), 0);
  C.expectClean();
  EXPECT_EQ(C.values(Out, 1)[0], 50.f / 16);
}

TEST_P(EmulatorKernels, JacobiStepsWithPingPong) {
  Candidate C(R"(
namespace {
__global__ void relax(const double *__restrict__ a, double *__restrict__ b, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= nx || j >= ny) return;
  bool edge = i == 0 || j == 0 || i == nx - 1 || j == ny - 1;
  int at = j * nx + i;
  b[at] = edge ? a[at] : 0.25 * (a[at - 1] + a[at + 1] + a[at - nx] + a[at + nx]);
}
}
extern "C" size_t go_workspace(int nx, int ny) { return sizeof(double) * nx * ny; }
extern "C" cudaError_t go(double *grid, int nx, int ny, int steps, void *workspace,
                          size_t bytes, cudaStream_t stream) {
  double *other = static_cast<double *>(workspace);
  dim3 block(16, 4), blocks((nx + 15) / 16, (ny + 3) / 4);
  for (int s = 0; s < steps; ++s) {
    relax<<<blocks, block, 0, stream>>>(s % 2 ? other : grid, s % 2 ? grid : other, nx, ny);
  }
  if (steps % 2)
    cudaMemcpyAsync(grid, other, sizeof(double) * nx * ny, cudaMemcpyDeviceToDevice, stream);
  return cudaGetLastError();
})",
              machine());
  int NX = 33, NY = 20;
  double *G = C.buffer(std::vector<double>(NX * NY, 3));
  double *W = C.fresh<double>(NX * NY, "workspace");
  EXPECT_EQ(
      C.run(G, NX, NY, 5, (void *)W, size_t(8 * NX * NY), (void *)nullptr), 0);
  C.expectClean();
  EXPECT_EQ(C.values(G, NX * NY), std::vector<double>(NX * NY, 3));
}
