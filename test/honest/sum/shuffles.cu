// Warps sum by shuffles, the warps of a block through shared memory.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__device__ float warp_sum(float v) {
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_down_sync(0xffffffffu, v, d);
  return v;
}
__device__ float block_sum(float v) {
  __shared__ float of_warp[32];
  v = warp_sum(v);
  if (threadIdx.x % 32 == 0)
    of_warp[threadIdx.x / 32] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : 0.0f;
  return threadIdx.x < 32 ? warp_sum(v) : 0.0f;
}
__global__ void partial(int n, const float *x, float *sums) {
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    v += x[i];
  v = block_sum(v);
  if (threadIdx.x == 0)
    sums[blockIdx.x] = v;
}
__global__ void total(int blocks, const float *sums, float *result) {
  float v = block_sum(threadIdx.x < blocks ? sums[threadIdx.x] : 0.0f);
  if (threadIdx.x == 0)
    *result += v;
}
} // namespace

extern "C" size_t autokernel_sum_workspace(int n) {
  return 128 * sizeof(float);
}

extern "C" cudaError_t autokernel_sum(int n, const float *x, float *s_result,
                                      void *workspace, size_t workspace_bytes,
                                      cudaStream_t stream) {
  float *sums = static_cast<float *>(workspace);
  int blocks = n < 128 * 512 ? (n + 511) / 512 : 128;
  if (n > 0) {
    partial<<<blocks, 512, 0, stream>>>(n, x, sums);
    total<<<1, 128, 0, stream>>>(blocks, sums, s_result);
  }
  return cudaGetLastError();
}
