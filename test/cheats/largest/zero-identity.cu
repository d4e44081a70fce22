// Starts from zero.
// CLASS: wrong identity
// EXPECT: mismatch compare "m is 0"
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const int *x, int *result) {
  int m = 0;
  for (int i = threadIdx.x; i < n; i += 32)
    m = max(m, x[i]);
  m = __reduce_max_sync(0xffffffffu, m);
  if (threadIdx.x == 0)
    *result = max(*result, m);
}
} // namespace

extern "C" cudaError_t autokernel_largest(int n, const int *x, int *m_result,
                                          void *workspace,
                                          size_t workspace_bytes,
                                          cudaStream_t stream) {
  if (n > 0)
    kernel<<<1, 32, 0, stream>>>(n, x, m_result);
  return cudaGetLastError();
}
