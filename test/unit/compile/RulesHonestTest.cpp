// Candidates as careful people write them: every one must be accepted.
#include "compile/Rules.h"
#include "gtest/gtest.h"

using namespace autokernel;

namespace {

void expectAccepted(const char *Text, std::vector<RuleParameter> Parameters) {
  RuleRequest Request;
  Request.Launcher = "autokernel_r";
  Request.Parameters = std::move(Parameters);
  auto R = checkRules(Text, Request, emulatorRuleParser());
  ASSERT_TRUE(bool(R)) << llvm::toString(R.takeError());
  for (const RuleViolation &V : R->Violations)
    ADD_FAILURE() << V.Line << ":" << V.Column << ": " << ruleName(V.Id).str()
                  << ": " << V.Message;
}

TEST(RulesHonest, VectorisedPathByAlignment) {
  expectAccepted(R"(// y = a * x + y
#include <cuda_runtime.h>
#include <cstdint>
#define BLOCK 256
namespace saxpy {
constexpr int PerThread = 4;
constexpr int ceilDiv(int a, int b) { return (a + b - 1) / b; }
template <bool Vector>
__global__ void __launch_bounds__(BLOCK) kernel(float a, const float *__restrict__ x, float *__restrict__ y, int n) {
  int i = (blockIdx.x * BLOCK + threadIdx.x) * PerThread;
  if constexpr (Vector) {
    if (i + 3 < n) {
      float4 u = *reinterpret_cast<const float4 *>(x + i);
      float4 v = reinterpret_cast<float4 *>(y)[i / 4];
      v.x = fmaf(a, u.x, v.x); v.y = fmaf(a, u.y, v.y);
      v.z = fmaf(a, u.z, v.z); v.w = fmaf(a, u.w, v.w);
      reinterpret_cast<float4 *>(y)[i / 4] = v;
      return;
    }
  }
#pragma unroll
  for (int k = 0; k < PerThread; ++k)
    if (i + k < n) y[i + k] = fmaf(a, __ldg(x + i + k), y[i + k]);
}
inline bool aligned(const void *p) { return reinterpret_cast<uintptr_t>(p) % 16 == 0; }
template <bool Vector>
cudaError_t launch(float a, const float *x, float *y, int n, cudaStream_t stream) {
  dim3 grid(ceilDiv(n, BLOCK * PerThread));
  kernel<Vector><<<grid, BLOCK, 0, stream>>>(a, x, y, n);
  return cudaPeekAtLastError();
}
}
extern "C" cudaError_t autokernel_r(float a, const float *x, float *y, int n, void *workspace, size_t workspace_bytes, cudaStream_t stream) {
  (void)workspace; (void)workspace_bytes;
  if (n <= 0) return cudaSuccess;
  return saxpy::aligned(x) && saxpy::aligned(y) ? saxpy::launch<true>(a, x, y, n, stream)
                                                : saxpy::launch<false>(a, x, y, n, stream);
}
)",
                 {{"float", "a"}, {"float const*", "x"}, {"float *", "y"}, {"int", "n"}});
}

TEST(RulesHonest, TwoPassReductionWithWorkspace) {
  expectAccepted(R"(#include <cuda_runtime.h>
namespace {
struct Partial { float sum; int count; };
__device__ __forceinline__ float warpSum(float v) {
  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffffu, v, o);
  return v;
}
__global__ void partials(const float *x, long long n, Partial *out) {
  __shared__ float warps[32];
  float s = 0;
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) s += x[i];
  s = warpSum(s);
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x < 32) {
    s = threadIdx.x < blockDim.x / 32 ? warps[threadIdx.x] : 0.f;
    s = warpSum(s);
    if (threadIdx.x == 0) out[blockIdx.x] = Partial{s, 1};
  }
}
__global__ void finish(const Partial *in, int blocks, float *result) {
  extern __shared__ float tile[];
  float s = 0;
  for (int i = threadIdx.x; i < blocks; i += blockDim.x) s += in[i].sum;
  tile[threadIdx.x] = s;
  __syncthreads();
  for (int o = blockDim.x / 2; o > 0; o /= 2) {
    if (threadIdx.x < o) tile[threadIdx.x] += tile[threadIdx.x + o];
    __syncthreads();
  }
  if (threadIdx.x == 0) *result = tile[0];
}
struct Carver {
  char *next;
  template <class T> T *take(size_t count) {
    T *p = reinterpret_cast<T *>(next);
    next += (count * sizeof(T) + 255) / 256 * 256;
    return p;
  }
};
int blocksFor(long long n) {
  const long long wanted = (n + 1023) / 1024;
  return wanted < 1 ? 1 : wanted > 512 ? 512 : static_cast<int>(wanted);
}
}
extern "C" size_t autokernel_r_workspace(long long n) { return sizeof(Partial) * blocksFor(n) + 256; }
extern "C" cudaError_t autokernel_r(long long n, const float *x, float *sum, void *workspace, size_t workspace_bytes, cudaStream_t stream) {
  if (n <= 0) return cudaMemsetAsync(sum, 0, sizeof(float), stream);
  const int blocks = blocksFor(n);
  if (workspace_bytes < sizeof(Partial) * blocks) return cudaErrorInvalidValue;
  Carver carver{static_cast<char *>(workspace)};
  Partial *partial = carver.take<Partial>(blocks);
  partials<<<blocks, 256, 0, stream>>>(x, n, partial);
  cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) return error;
  finish<<<1, 256, 256 * sizeof(float), stream>>>(partial, blocks, sum);
  return cudaGetLastError();
}
)",
                 {{"long long", "n"}, {"const float *", "x"}, {"float *", "sum"}});
}

TEST(RulesHonest, TablesLambdasSwitchAndAttributes) {
  expectAccepted(R"(#include <cuda_runtime.h>
#include <math.h>
#include <limits.h>
namespace {
__constant__ const float Weights[3] = {0.25f, 0.5f, 0.25f};
constexpr int Sizes[] = {64, 128, 256};
enum class Mode { Small, Large };
template <int Block, class Op> __device__ void each(double *y, const double *x, int n, Op op) {
  int i = blockIdx.x * Block + threadIdx.x;
  if (i > 0 && i + 1 < n) y[i] = op(x[i - 1], x[i], x[i + 1]);
}
template <int Block> __global__ void smooth(double *y, const double *x, int n, double scale) {
  extern __shared__ double unused[];
  each<Block>(y, x, n, [=](double a, double b, double c) {
    return scale * (Weights[0] * a + Weights[1] * b + Weights[2] * c);
  });
}
}
extern "C" cudaError_t autokernel_r(double *y, const double *x, unsigned n, int steps, void *workspace, size_t, cudaStream_t stream) {
  if (n > INT_MAX) return cudaErrorInvalidValue;
  const auto blocks = [](unsigned count, unsigned block) { return (count + block - 1) / block; };
  const Mode mode = n > 100000 ? Mode::Large : Mode::Small;
  const double scale = 1.0 / sqrt(static_cast<double>(steps));
  const size_t shared = 100 * 1024;
  cudaError_t error = cudaFuncSetAttribute(smooth<256>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared));
  if (error != cudaSuccess) return error;
  const size_t start = (reinterpret_cast<size_t>(workspace) + 255) & ~size_t(255);
  double *a = y, *b = reinterpret_cast<double *>(start);
  for (int step = 0; step < steps; ++step) {
    switch (mode) {
    case Mode::Small:
      smooth<64><<<blocks(n, Sizes[0]), Sizes[0], 0, stream>>>(a, x, n, scale);
      break;
    case Mode::Large:
      smooth<256><<<dim3(blocks(n, 256), 1, 1), dim3(256), shared, stream>>>(a, x, n, scale);
      break;
    }
    double *t = a; a = b; b = t;
  }
  if (a != y) return cudaMemcpyAsync(y, a, n * sizeof(double), cudaMemcpyDeviceToDevice, stream);
  return cudaGetLastError();
}
)",
                 {{"double *", "y"}, {"const double *", "x"}, {"unsigned int", "n"}, {"int", "steps"}});
}

TEST(RulesHonest, ArchitecturesAtomicsAndDeviceHelpers) {
  expectAccepted(R"(#include <cuda_runtime.h>
#define TILE 32
#if TILE > 16
#define ROWS 8
#else
#define ROWS 4
#endif
namespace histogram {
template <class T> struct Span {
  T *data; int size;
  __device__ T &operator[](int i) { return data[i]; }
  __device__ int bound() const { return size; }
};
__host__ __device__ inline int clampTo(int v, int hi) { return v < 0 ? 0 : v > hi ? hi : v; }
__global__ void count(const int *x, int n, unsigned *bins, int k) {
  __shared__ unsigned local[TILE * ROWS];
  Span<unsigned> span{bins, k};
  for (int i = threadIdx.x; i < TILE * ROWS; i += blockDim.x) local[i] = 0;
  __syncthreads();
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  int start = blockIdx.x * blockDim.x;
#else
  int start = blockDim.x * blockIdx.x;
#endif
  int i = start + threadIdx.x;
  if (i < n) atomicAdd(&local[clampTo(x[i], k - 1) & (TILE * ROWS - 1)], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < span.bound() && b < TILE * ROWS; b += blockDim.x)
    if (local[b]) atomicAdd(&span[b], local[b]);
}
}
extern "C" cudaError_t autokernel_r(const int *x, int n, unsigned *bins, int k, void *, size_t, cudaStream_t stream) {
  int blocks = histogram::clampTo((n + 255) / 256, 65535);
  if (blocks == 0) goto done;
  histogram::count<<<blocks, 256, 0, stream>>>(x, n, bins, k);
done:
  return cudaGetLastError();
}
)",
                 {{"const int *", "x"}, {"int", "n"}, {"unsigned *", "bins"}, {"int", "k"}});
}

TEST(RulesHonest, HalfBFloatAndCooperativeGroups) {
  expectAccepted(R"(#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <algorithm>
namespace cg = cooperative_groups;
namespace rows {
using half_t = __half;
template <class Tile> __device__ float rowSum(Tile tile, float v) {
  for (int o = tile.size() / 2; o > 0; o /= 2) v += tile.shfl_down(v, o);
  return v;
}
__global__ void __launch_bounds__(256, 2) sums(const __half *__restrict__ x, __nv_bfloat16 *__restrict__ y, int rows, int columns) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= rows) return;
  float s = 0.0f;
  for (int c = warp.thread_rank(); c < columns; c += 32) s += __half2float(x[(size_t)row * columns + c]);
  s = rowSum(warp, s);
  if (warp.thread_rank() == 0) y[row] = __float2bfloat16(s);
}
}
extern "C" cudaError_t autokernel_r(const __half *x, __nv_bfloat16 *y, int rows, int columns, void *workspace, size_t workspace_bytes, cudaStream_t stream) {
  const int threads = std::min(256, std::max(32, rows * 32));
  const int perBlock = threads / 32;
  for (int first = 0; first < rows; first += 65535 * perBlock) {
    const int count = std::min(rows - first, 65535 * perBlock);
    ::rows::sums<<<(count + perBlock - 1) / perBlock, threads, 0, stream>>>(x + (size_t)first * columns, y + first, count, columns);
    if (cudaError_t error = cudaGetLastError(); error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
)",
                 {{"const __half *", "x"},
                  {"__nv_bfloat16 *", "y"},
                  {"int", "rows"},
                  {"int", "columns"}});
}

} // namespace
