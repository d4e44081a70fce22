// The inner dimension is split over blocks; a second launch adds the parts.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
constexpr int Parts = 4;
__global__ void partial(int m, int n, int k, const float *a, const float *b,
                        float *parts) {
  int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y,
      part = blockIdx.z;
  if (i >= m || j >= n)
    return;
  int share = (k + Parts - 1) / Parts, first = part * share,
      last = min(k, first + share);
  float s = 0;
  for (int p = first; p < last; ++p)
    s += a[i * k + p] * b[p * n + j];
  parts[(static_cast<size_t>(part) * m + i) * n + j] = s;
}
__global__ void total(long long count, const float *parts, float *c) {
  long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i >= count)
    return;
  float s = 0;
  for (int part = 0; part < Parts; ++part)
    s += parts[part * count + i];
  c[i] = s;
}
} // namespace

extern "C" size_t autokernel_matmul_workspace(int m, int n, int k) {
  return m > 0 && n > 0 ? sizeof(float) * Parts * m * n : 0;
}

extern "C" cudaError_t autokernel_matmul(int m, int n, int k, const float *a,
                                         const float *b, float *c,
                                         void *workspace,
                                         size_t workspace_bytes,
                                         cudaStream_t stream) {
  float *parts = static_cast<float *>(workspace);
  long long count = static_cast<long long>(m) * n;
  if (m > 0 && n > 0) {
    partial<<<dim3((n + 15) / 16, (m + 7) / 8, Parts), dim3(16, 8), 0,
              stream>>>(m, n, k, a, b, parts);
    total<<<static_cast<unsigned>((count + 127) / 128), 128, 0, stream>>>(
        count, parts, c);
  }
  return cudaGetLastError();
}
