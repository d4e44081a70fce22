// A scalar head up to the boundary of 8 bytes, then pairs.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, float a, const float *x, float *y) {
  int head = static_cast<int>(reinterpret_cast<size_t>(y) / 4 % 2);
  bool same = reinterpret_cast<size_t>(x) / 4 % 2 == static_cast<size_t>(head);
  int pair = blockIdx.x * blockDim.x + threadIdx.x;
  int i = head + 2 * pair;
  if (pair == 0 && head == 1)
    y[0] += a * x[0];
  if (i + 1 < n && same) {
    float2 u = *reinterpret_cast<const float2 *>(x + i),
           v = *reinterpret_cast<float2 *>(y + i);
    *reinterpret_cast<float2 *>(y + i) =
        make_float2(a * u.x + v.x, a * u.y + v.y);
  } else {
    for (int k = i; k < i + 2 && k < n; ++k)
      y[k] += a * x[k];
  }
}
} // namespace

extern "C" cudaError_t autokernel_saxpy(int n, float a, const float *x,
                                        float *y, void *workspace,
                                        size_t workspace_bytes,
                                        cudaStream_t stream) {
  if (n > 0)
    kernel<<<(n / 2 + 1 + 255) / 256, 256, 0, stream>>>(n, a, x, y);
  return cudaGetLastError();
}
