// Goes through float, which has 24 bits.
// CLASS: one precision lower
// EXPECT: mismatch compare "m is"
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const int *x, int *result) {
  float m = static_cast<float>(*result);
  for (int i = 0; i < n; ++i)
    m = fmaxf(m, static_cast<float>(x[i]));
  *result = m >= 2147483648.0f ? 2147483647 : static_cast<int>(m);
}
} // namespace

extern "C" cudaError_t autokernel_largest(int n, const int *x, int *m_result,
                                          void *workspace,
                                          size_t workspace_bytes,
                                          cudaStream_t stream) {
  if (n > 0)
    kernel<<<1, 1, 0, stream>>>(n, x, m_result);
  return cudaGetLastError();
}
