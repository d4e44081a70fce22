// Shuffles from lanes that have left.
// CLASS: warp misuse
// EXPECT: mismatch memory "lane"
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const float *x, float *result) {
  if (threadIdx.x >= n)
    return;
  float v = 0;
  for (int i = threadIdx.x; i < n; i += 32)
    v += x[i];
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_xor_sync(0xffffffffu, v, d);
  if (threadIdx.x == 0)
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
