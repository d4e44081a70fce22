// The warps of a block wait at two different barriers.
// CLASS: divergent barrier
// EXPECT: mismatch race "barrier"
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const int *x, int *result) {
  __shared__ int m[64];
  int own = -2147483647 - 1;
  for (int i = threadIdx.x; i < n; i += 64)
    own = max(own, x[i]);
  m[threadIdx.x] = own;
  if (threadIdx.x < 32) {
    __syncthreads();
    own = max(own, m[threadIdx.x + 32]);
  } else {
    __syncthreads();
  }
  own = __reduce_max_sync(0xffffffffu, own);
  if (threadIdx.x == 0)
    *result = max(*result, own);
}
} // namespace

extern "C" cudaError_t autokernel_largest(int n, const int *x, int *m_result,
                                          void *workspace,
                                          size_t workspace_bytes,
                                          cudaStream_t stream) {
  if (n > 0)
    kernel<<<1, 64, 0, stream>>>(n, x, m_result);
  return cudaGetLastError();
}
