// Relies on a counter that the last call left at zero.
// CLASS: reuse between calls
// EXPECT: mismatch memory "uninitialised-read"
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const float *x, float *result, float *sums,
                       unsigned *finished) {
  float v = 0;
  for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i += gridDim.x * 32)
    v += x[i];
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_xor_sync(0xffffffffu, v, d);
  if (threadIdx.x != 0)
    return;
  sums[blockIdx.x] = v;
  __threadfence();
  if (atomicInc(finished, gridDim.x - 1) != gridDim.x - 1)
    return;
  __threadfence();
  for (int b = 0; b < gridDim.x; ++b)
    *result += sums[b];
}
} // namespace

extern "C" size_t autokernel_sum_workspace(int n) { return 9 * sizeof(float); }

extern "C" cudaError_t autokernel_sum(int n, const float *x, float *s_result,
                                      void *workspace, size_t workspace_bytes,
                                      cudaStream_t stream) {
  float *sums = static_cast<float *>(workspace);
  if (n > 0)
    kernel<<<8, 32, 0, stream>>>(n, x, s_result, sums,
                                 reinterpret_cast<unsigned *>(sums + 8));
  return cudaGetLastError();
}
