// Every thread adds to the result without an atomic.
// CLASS: races that pass by luck
// EXPECT: mismatch race "race"
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const float *x, float *s_result) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    *s_result += x[i];
}
} // namespace

extern "C" cudaError_t autokernel_sum(int n, const float *x, float *s_result,
                                      void *workspace, size_t workspace_bytes,
                                      cudaStream_t stream) {
  if (n > 0)
    kernel<<<(n + 255) / 256, 256, 0, stream>>>(n, x, s_result);
  return cudaGetLastError();
}
