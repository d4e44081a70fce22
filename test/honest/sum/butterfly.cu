// Every lane gets the sum, by exchanges.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const float *x, float *result) {
  float v = 0;
  for (int i = threadIdx.x; i < n; i += 32)
    v += x[i];
#pragma unroll
  for (int d = 1; d < 32; d *= 2)
    v += __shfl_xor_sync(0xffffffffu, v, d);
  if (threadIdx.x == 31)
    *result += v;
}
} // namespace

extern "C" cudaError_t autokernel_sum(int n, const float *x, float *s_result,
                                      void *workspace, size_t workspace_bytes,
                                      cudaStream_t stream) {
  if (n > 0)
    kernel<<<1, 32, 0, stream>>>(n, x, s_result);
  return cudaGetLastError();
}
