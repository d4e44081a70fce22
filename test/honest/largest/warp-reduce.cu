// The warp's hardware reduction, one atomic a warp.
// EXPECT: accepted
#include <climits>
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const int *x, int *result) {
  int m = INT_MIN;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    m = max(m, x[i]);
  m = __reduce_max_sync(0xffffffffu, m);
  if (threadIdx.x % 32 == 0)
    atomicMax(result, m);
}
} // namespace

extern "C" cudaError_t autokernel_largest(int n, const int *x, int *m_result,
                                          void *workspace,
                                          size_t workspace_bytes,
                                          cudaStream_t stream) {
  if (n > 0)
    kernel<<<32, 256, 0, stream>>>(n, x, m_result);
  return cudaGetLastError();
}
