// A tree in shared memory a block, the blocks' sums in a second launch.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
constexpr int Threads = 256;
__device__ float block_sum(float v) {
  __shared__ float s[Threads];
  s[threadIdx.x] = v;
  __syncthreads();
  for (int half = Threads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
  return s[0];
}
__global__ void partial(int n, const float *x, float *sums) {
  float v = 0;
  for (int i = blockIdx.x * Threads + threadIdx.x; i < n;
       i += gridDim.x * Threads)
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

extern "C" size_t autokernel_sum_workspace(int n) { return 64 * sizeof(float); }

extern "C" cudaError_t autokernel_sum(int n, const float *x, float *s_result,
                                      void *workspace, size_t workspace_bytes,
                                      cudaStream_t stream) {
  float *sums = static_cast<float *>(workspace);
  if (n > 0) {
    partial<<<64, Threads, 0, stream>>>(n, x, sums);
    total<<<1, Threads, 0, stream>>>(64, sums, s_result);
  }
  return cudaGetLastError();
}
