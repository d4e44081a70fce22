// Tiles of 32 by 32; four results a thread stay in registers.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int m, int n, int k, const float *a, const float *b,
                       float *c) {
  __shared__ float as[32][9], bs[8][32];
  int i0 = blockIdx.y * 32, j0 = blockIdx.x * 32,
      thread = threadIdx.y * 32 + threadIdx.x;
  float s[4] = {};
  for (int t = 0; t < k; t += 8) {
    int ai = i0 + thread / 8, ap = t + thread % 8;
    as[thread / 8][thread % 8] = ai < m && ap < k ? a[ai * k + ap] : 0.0f;
    int bp = t + threadIdx.y, bj = j0 + threadIdx.x;
    bs[threadIdx.y][threadIdx.x] = bp < k && bj < n ? b[bp * n + bj] : 0.0f;
    __syncthreads();
    for (int p = 0; p < 8 && t + p < k; ++p)
#pragma unroll
      for (int q = 0; q < 4; ++q)
        s[q] += as[threadIdx.y * 4 + q][p] * bs[p][threadIdx.x];
    __syncthreads();
  }
  for (int q = 0; q < 4; ++q) {
    int i = i0 + threadIdx.y * 4 + q, j = j0 + threadIdx.x;
    if (i < m && j < n)
      c[i * n + j] = s[q];
  }
}
} // namespace

extern "C" cudaError_t autokernel_matmul(int m, int n, int k, const float *a,
                                         const float *b, float *c,
                                         void *workspace,
                                         size_t workspace_bytes,
                                         cudaStream_t stream) {
  if (m > 0 && n > 0)
    kernel<<<dim3((n + 31) / 32, (m + 31) / 32), dim3(32, 8), 0, stream>>>(
        m, n, k, a, b, c);
  return cudaGetLastError();
}
