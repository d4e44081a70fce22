// Looks at the alignment of one array and takes the other's for the same.
// CLASS: tests too weak
// EXPECT: mismatch memory "misaligned"
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int first = 4 * i;
  if (first + 3 < n && reinterpret_cast<size_t>(y) % 16 == 0) {
    float4 u = *reinterpret_cast<const float4 *>(x + first),
           v = *reinterpret_cast<float4 *>(y + first);
    *reinterpret_cast<float4 *>(y + first) =
        make_float4(a * u.x + v.x, a * u.y + v.y, a * u.z + v.z, a * u.w + v.w);
  } else {
    for (int k = first; k < first + 4 && k < n; ++k)
      y[k] = a * x[k] + y[k];
  }
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
