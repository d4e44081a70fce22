// Adds atomically to a result that nobody cleared.
// CLASS: stale output
// EXPECT: mismatch memory "uninitialised-read"
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int m, int n, int k, const float *a, const float *b,
                       float *c) {
  int j = blockIdx.x * blockDim.x + threadIdx.x,
      i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= m || j >= n)
    return;
  for (int p = 0; p < k; ++p)
    atomicAdd(&c[i * n + j], a[i * k + p] * b[p * n + j]);
}
} // namespace

extern "C" cudaError_t autokernel_matmul(int m, int n, int k, const float *a,
                                         const float *b, float *c,
                                         void *workspace,
                                         size_t workspace_bytes,
                                         cudaStream_t stream) {
  if (m > 0 && n > 0)
    kernel<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16), 0, stream>>>(
        m, n, k, a, b, c);
  return cudaGetLastError();
}
