// One thread an element of the result.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int m, int n, int k, const float *a, const float *b,
                       float *c) {
  int j = blockIdx.x * blockDim.x + threadIdx.x,
      i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= m || j >= n)
    return;
  float s = 0;
  for (int p = 0; p < k; ++p)
    s += a[i * k + p] * b[p * n + j];
  c[i * n + j] = s;
}
} // namespace

extern "C" cudaError_t autokernel_matmul(int m, int n, int k, const float *a,
                                         const float *b, float *c,
                                         void *workspace,
                                         size_t workspace_bytes,
                                         cudaStream_t stream) {
  if (m > 0 && n > 0)
    kernel<<<dim3((n + 31) / 32, (m + 3) / 4), dim3(32, 4), 0, stream>>>(
        m, n, k, a, b, c);
  return cudaGetLastError();
}
