// Threads without an element don't come to the barrier.
// CLASS: divergent barrier
// EXPECT: mismatch race "barrier"
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const float *x, float *result) {
  __shared__ float s[64];
  float v = 0;
  for (int i = threadIdx.x; i < n; i += 64) {
    s[threadIdx.x] = x[i];
    __syncthreads();
    v += s[threadIdx.x];
  }
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_xor_sync(0xffffffffu, v, d);
  s[threadIdx.x] = v;
  __syncthreads();
  if (threadIdx.x == 0)
    *result += s[0] + s[32];
}
} // namespace

extern "C" cudaError_t autokernel_sum(int n, const float *x, float *s_result,
                                      void *workspace, size_t workspace_bytes,
                                      cudaStream_t stream) {
  if (n > 0)
    kernel<<<1, 64, 0, stream>>>(n, x, s_result);
  return cudaGetLastError();
}
