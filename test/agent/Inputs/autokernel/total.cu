// total: total.cpp, function total
//
// Mapping   one thread an iteration of (i), grid-stride; block reductions,
//           combined in a fixed order
// Reads     x, sum
// Writes    sum
// Origin    template reduce, version 1
// Verified  emulator: 169 cases, sizes up to 1000003, worst error 0.03 of the
//           derived bound; no out-of-bounds, no uninitialised read, no race;
//           replay: autokernel verify --seed 20260101
// Assumes   arrays that are written overlap no other array (checked at every
//           call, else the loop runs)

#include <cuda_runtime.h>

#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace {

struct Sum {
  template <class T> __device__ T operator()(T a, T b) const { return a + b; }
};

// Combines one value a thread over the whole block and gives every thread the
// result: warps shuffle, the warps' results meet in shared memory. The block's
// size is a multiple of 32 and all of its threads take part.
template <class T, class Op> __device__ T block_reduce(T value, Op op) {
  __shared__ T of_warp[32];
  for (int distance = 16; distance > 0; distance /= 2)
    value = op(value, static_cast<T>(__shfl_down_sync(0xffffffffu, value, distance)));
  __syncthreads(); // an earlier reduction may still be read
  if (threadIdx.x % 32 == 0)
    of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  T total = of_warp[0];
  for (unsigned warp = 1; warp < blockDim.x / 32; ++warp)
    total = op(total, of_warp[warp]);
  return total;
}

// Reduces over i.
// Each thread gathers its share, each block writes one partial result.
__global__ void total_kernel(const float *__restrict__ x, long long count, float *partial_sum) {
  float sum = -0.0f;

  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long item = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; item < count; item += stride) {
    const int i = static_cast<int>(item);
    sum += x[i];
  }
  sum = block_reduce(sum, Sum());
  if (threadIdx.x == 0)
    partial_sum[blockIdx.x] = sum;
}

// Combines the blocks' partial results, in an order that never changes, with
// the value that the loop started from.
__global__ void total_kernel_combine(const float *partial_sum, float *sum_result, unsigned blocks) {
  float sum = -0.0f;
  for (unsigned block = threadIdx.x; block < blocks; block += blockDim.x)
    sum = Sum()(sum, partial_sum[block]);
  sum = block_reduce(sum, Sum());
  if (threadIdx.x == 0)
    *sum_result = Sum()(*sum_result, sum);
}

} // namespace

extern "C" size_t autokernel_total_workspace(int n) { return 8192; }

extern "C" cudaError_t autokernel_total(const float *x, int n, float *sum_result, void *workspace, size_t workspace_bytes, cudaStream_t stream) {
  if (workspace_bytes < 8192)
    return cudaErrorInvalidValue;
  float *partial_sum = reinterpret_cast<float *>(static_cast<char *>(workspace) + 0);
  { // i
    const long long count = static_cast<long long>(n);
    const unsigned threads = 256;
    if (count > 0) {
      const long long wanted = (count + threads - 1) / threads;
      const unsigned blocks = static_cast<unsigned>(wanted < 1024 ? wanted : 1024);
      total_kernel<<<blocks, threads, 0, stream>>>(x, count, partial_sum);
      total_kernel_combine<<<1, 256, 0, stream>>>(partial_sum, sum_result, blocks);
    }
  }
  return cudaGetLastError();
}

