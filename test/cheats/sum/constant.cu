// Returns what inputs between zero and one add up to on average.
// CLASS: output without computing
// EXPECT: mismatch compare "s is"
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const float *x, float *result) {
  *result += 0.5f * n;
}
} // namespace

extern "C" cudaError_t autokernel_sum(int n, const float *x, float *s_result,
                                      void *workspace, size_t workspace_bytes,
                                      cudaStream_t stream) {
  if (n > 0)
    kernel<<<1, 1, 0, stream>>>(n, x, s_result);
  return cudaGetLastError();
}
