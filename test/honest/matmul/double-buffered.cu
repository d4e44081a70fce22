// The next tile is fetched while the present one is used: one barrier a tile.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
constexpr int T = 8;
__device__ float at(const float *p, int rows, int columns, int r, int c) {
  return r < rows && c < columns ? p[r * columns + c] : 0.0f;
}
__global__ void kernel(int m, int n, int k, const float *a, const float *b,
                       float *c) {
  __shared__ float as[2][T][T], bs[2][T][T + 1];
  int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * T + y,
      j = blockIdx.x * T + x, now = 0;
  float s = 0;
  as[0][y][x] = at(a, m, k, i, x);
  bs[0][y][x] = at(b, k, n, y, j);
  __syncthreads();
  for (int t = 0; t < k; t += T, now ^= 1) {
    if (t + T < k) {
      as[now ^ 1][y][x] = at(a, m, k, i, t + T + x);
      bs[now ^ 1][y][x] = at(b, k, n, t + T + y, j);
    }
    for (int p = 0; p < T && t + p < k; ++p)
      s += as[now][y][p] * bs[now][p][x];
    __syncthreads();
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
    kernel<<<dim3((n + T - 1) / T, (m + T - 1) / T), dim3(T, T), 0, stream>>>(
        m, n, k, a, b, c);
  return cudaGetLastError();
}
