// Blocks reduce in shared memory and meet in one atomic maximum.
// EXPECT: accepted
#include <climits>
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const int *x, int *result) {
  __shared__ int m;
  if (threadIdx.x == 0)
    m = INT_MIN;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    atomicMax_block(&m, x[i]);
  __syncthreads();
  if (threadIdx.x == 0)
    atomicMax(result, m);
}
} // namespace

extern "C" cudaError_t autokernel_largest(int n, const int *x, int *m_result,
                                          void *workspace,
                                          size_t workspace_bytes,
                                          cudaStream_t stream) {
  if (n > 0)
    kernel<<<32, 128, 0, stream>>>(n, x, m_result);
  return cudaGetLastError();
}
