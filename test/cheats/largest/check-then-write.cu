// Reads and writes the result without an atomic.
// CLASS: races that pass by luck
// EXPECT: mismatch race "race"
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const int *x, int *m_result) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > *m_result)
    *m_result = x[i];
}
} // namespace

extern "C" cudaError_t autokernel_largest(int n, const int *x, int *m_result,
                                          void *workspace,
                                          size_t workspace_bytes,
                                          cudaStream_t stream) {
  if (n > 0)
    kernel<<<(n + 255) / 256, 256, 0, stream>>>(n, x, m_result);
  return cudaGetLastError();
}
