// More shared memory than a block can have.
// CLASS: launch failure ignored
// EXPECT: mismatch memory "shared"
#include <cuda_runtime.h>

namespace {
extern __shared__ float tile[];
__global__ void kernel(int m, int n, int k, const float *a, const float *b,
                       float *c) {
  int j = blockIdx.x * blockDim.x + threadIdx.x,
      i = blockIdx.y * blockDim.y + threadIdx.y;
  tile[threadIdx.y * 16 + threadIdx.x] = 0;
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
    kernel<<<dim3((n + 15) / 16, (m + 15) / 16), dim3(16, 16), 1 << 20,
             stream>>>(m, n, k, a, b, c);
  return cudaGetLastError();
}
