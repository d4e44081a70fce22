// Tiles of 16 by 16 of both factors in shared memory.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
constexpr int T = 16;
__global__ void kernel(int m, int n, int k, const float *a, const float *b,
                       float *c) {
  __shared__ float as[T][T], bs[T][T];
  int i = blockIdx.y * T + threadIdx.y, j = blockIdx.x * T + threadIdx.x;
  float s = 0;
  for (int t = 0; t < k; t += T) {
    as[threadIdx.y][threadIdx.x] =
        i < m && t + threadIdx.x < k ? a[i * k + t + threadIdx.x] : 0.0f;
    bs[threadIdx.y][threadIdx.x] =
        t + threadIdx.y < k && j < n ? b[(t + threadIdx.y) * n + j] : 0.0f;
    __syncthreads();
    int last = min(T, k - t);
    for (int p = 0; p < last; ++p)
      s += as[threadIdx.y][p] * bs[p][threadIdx.x];
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
