// The maximum by hand from compare-and-swap.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__device__ void raise(int *at, int v) {
  int seen = atomicAdd(at, 0);
  while (seen < v) {
    int before = atomicCAS(at, seen, v);
    if (before == seen)
      return;
    seen = before;
  }
}
__global__ void kernel(int n, const int *x, int *result) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    raise(result, x[i]);
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
