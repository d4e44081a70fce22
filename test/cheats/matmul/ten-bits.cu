// Factors with ten bits of mantissa, as tensor cores take them.
// CLASS: one precision lower
// EXPECT: mismatch compare "c["
#include <cuda_runtime.h>

namespace {
__device__ float rounded(float v) {
  return isfinite(v)
             ? __uint_as_float((__float_as_uint(v) + 0x1000u) & 0xffffe000u)
             : v;
}
__global__ void kernel(int m, int n, int k, const float *a, const float *b,
                       float *c) {
  int j = blockIdx.x * blockDim.x + threadIdx.x,
      i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= m || j >= n)
    return;
  float s = 0;
  for (int p = 0; p < k; ++p)
    s += rounded(a[i * k + p]) * rounded(b[p * n + j]);
  c[i * n + j] = s;
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
