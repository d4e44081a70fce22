// The last vector load reaches over the end.
// CLASS: tests too weak
// EXPECT: mismatch memory "out-of-bounds-read"
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int first = 4 * i;
  bool aligned =
      (reinterpret_cast<size_t>(x) | reinterpret_cast<size_t>(y)) % 16 == 0;
  float4 u = {};
  if (first < n && aligned)
    u = *reinterpret_cast<const float4 *>(x + first);
  float v[4] = {u.x, u.y, u.z, u.w};
  for (int k = 0; k < 4 && first + k < n; ++k)
    y[first + k] += a * (aligned ? v[k] : x[first + k]);
}
} // namespace

extern "C" cudaError_t autokernel_saxpy(int n, float a, const float *x,
                                        float *y, void *workspace,
                                        size_t workspace_bytes,
                                        cudaStream_t stream) {
  if (n > 0)
    kernel<<<(n + 255) / 256, 256, 0, stream>>>(n, a, x, y);
  return cudaGetLastError();
}
