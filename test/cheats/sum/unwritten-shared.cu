// Adds parts of shared memory that no thread has written.
// CLASS: uninitialised shared memory
// EXPECT: mismatch memory "uninitialised-read"
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const float *x, float *result) {
  __shared__ float s[256];
  for (int i = threadIdx.x; i < n; i += 256)
    s[threadIdx.x] = (i < 256 ? 0.0f : s[threadIdx.x]) + x[i];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half)
      s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    *result += s[0];
}
} // namespace

extern "C" cudaError_t autokernel_sum(int n, const float *x, float *s_result,
                                      void *workspace, size_t workspace_bytes,
                                      cudaStream_t stream) {
  if (n > 0)
    kernel<<<1, 256, 0, stream>>>(n, x, s_result);
  return cudaGetLastError();
}
