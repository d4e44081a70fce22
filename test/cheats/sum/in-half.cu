// Accumulates in half precision.
// CLASS: one precision lower
// EXPECT: mismatch compare "s is"
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const float *x, float *result) {
  __half v = __float2half(0.0f);
  for (int i = 0; i < n; ++i)
    v = v + __float2half(x[i]);
  *result += __half2float(v);
}
} // namespace

extern "C" cudaError_t autokernel_sum(int n, const float *x, float *s_result,
                                      void *workspace, size_t workspace_bytes,
                                      cudaStream_t stream) {
  if (n > 0)
    kernel<<<1, 1, 0, stream>>>(n, x, s_result);
  return cudaGetLastError();
}
