// One launch: the block that finishes last adds up the blocks' sums.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__device__ float block_sum(float v) {
  __shared__ float s[128];
  __syncthreads();
  s[threadIdx.x] = v;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half)
      s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
  return s[0];
}
__global__ void kernel(int n, const float *x, float *result, float *sums,
                       unsigned *finished) {
  __shared__ bool last;
  float v = 0;
  for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128)
    v += x[i];
  v = block_sum(v);
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = v;
    __threadfence();
    last = atomicAdd(finished, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last)
    return;
  __threadfence();
  v = block_sum(threadIdx.x < gridDim.x ? sums[threadIdx.x] : 0.0f);
  if (threadIdx.x == 0)
    *result += v;
}
} // namespace

extern "C" size_t autokernel_sum_workspace(int n) {
  return 64 * sizeof(float) + sizeof(unsigned);
}

extern "C" cudaError_t autokernel_sum(int n, const float *x, float *s_result,
                                      void *workspace, size_t workspace_bytes,
                                      cudaStream_t stream) {
  float *sums = static_cast<float *>(workspace);
  unsigned *finished = reinterpret_cast<unsigned *>(sums + 64);
  if (n > 0) {
    cudaMemsetAsync(finished, 0, sizeof(unsigned), stream);
    kernel<<<64, 128, 0, stream>>>(n, x, s_result, sums, finished);
  }
  return cudaGetLastError();
}
