// Rows of the right factor four elements at a time where they are aligned.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int m, int n, int k, const float *a, const float *b,
                       float *c) {
  int j = 4 * (blockIdx.x * 16 + threadIdx.x), i = blockIdx.y * 8 + threadIdx.y;
  if (i >= m || j >= n)
    return;
  bool vector = n % 4 == 0 && reinterpret_cast<size_t>(b) % 16 == 0;
  float s[4] = {};
  for (int p = 0; p < k; ++p) {
    float f = a[i * k + p];
    if (vector) {
      float4 v = *reinterpret_cast<const float4 *>(b + p * n + j);
      s[0] = fmaf(f, v.x, s[0]);
      s[1] = fmaf(f, v.y, s[1]);
      s[2] = fmaf(f, v.z, s[2]);
      s[3] = fmaf(f, v.w, s[3]);
    } else {
      for (int q = 0; q < 4 && j + q < n; ++q)
        s[q] += f * b[p * n + j + q];
    }
  }
  for (int q = 0; q < 4 && j + q < n; ++q)
    c[i * n + j + q] = s[q];
}
} // namespace

extern "C" cudaError_t autokernel_matmul(int m, int n, int k, const float *a,
                                         const float *b, float *c,
                                         void *workspace,
                                         size_t workspace_bytes,
                                         cudaStream_t stream) {
  if (m > 0 && n > 0)
    kernel<<<dim3((n + 63) / 64, (m + 7) / 8), dim3(16, 8), 0, stream>>>(
        m, n, k, a, b, c);
  return cudaGetLastError();
}
