// Tiles are overwritten while other threads still read them.
// CLASS: missing barrier
// EXPECT: mismatch race "race"
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int m, int n, int k, const float *a, const float *b,
                       float *c) {
  __shared__ float as[16][16], bs[16][16];
  int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * 16 + y,
      j = blockIdx.x * 16 + x;
  float s = 0;
  for (int t = 0; t < k; t += 16) {
    as[y][x] = i < m && t + x < k ? a[i * k + t + x] : 0.0f;
    bs[y][x] = t + y < k && j < n ? b[(t + y) * n + j] : 0.0f;
    __syncthreads();
    for (int p = 0; p < 16 && t + p < k; ++p)
      s += as[y][p] * bs[p][x];
  }
  if (i < m && j < n)
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
