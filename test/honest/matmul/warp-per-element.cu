// A warp an element: lanes share the inner dimension.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int m, int n, int k, const float *a, const float *b,
                       float *c) {
  long long warp =
      (blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x) / 32;
  if (warp >= static_cast<long long>(m) * n)
    return;
  int i = static_cast<int>(warp / n), j = static_cast<int>(warp % n);
  float s = 0;
  for (int p = threadIdx.x % 32; p < k; p += 32)
    s += a[i * k + p] * b[p * n + j];
  for (int d = 16; d > 0; d /= 2)
    s += __shfl_down_sync(0xffffffffu, s, d);
  if (threadIdx.x % 32 == 0)
    c[i * n + j] = s;
}
} // namespace

extern "C" cudaError_t autokernel_matmul(int m, int n, int k, const float *a,
                                         const float *b, float *c,
                                         void *workspace,
                                         size_t workspace_bytes,
                                         cudaStream_t stream) {
  long long threads = 32ll * m * n;
  if (m > 0 && n > 0)
    kernel<<<static_cast<unsigned>((threads + 127) / 128), 128, 0, stream>>>(
        m, n, k, a, b, c);
  return cudaGetLastError();
}
