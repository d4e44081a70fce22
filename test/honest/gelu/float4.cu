// Four elements at a time where aligned.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__device__ float gelu(float v) {
  return 0.5f * v * (1.0f + tanhf(0.79788456f * (v + 0.044715f * v * v * v)));
}
__global__ void kernel(int n, const float *__restrict__ x,
                       float *__restrict__ y) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  bool aligned =
      (reinterpret_cast<size_t>(x) | reinterpret_cast<size_t>(y)) % 16 == 0;
  if (aligned && i + 3 < n) {
    float4 v = *reinterpret_cast<const float4 *>(x + i);
    *reinterpret_cast<float4 *>(y + i) =
        make_float4(gelu(v.x), gelu(v.y), gelu(v.z), gelu(v.w));
  } else {
    for (int k = i; k < i + 4 && k < n; ++k)
      y[k] = gelu(x[k]);
  }
}
} // namespace

extern "C" cudaError_t autokernel_gelu(int n, const float *x, float *y,
                                       void *workspace, size_t workspace_bytes,
                                       cudaStream_t stream) {
  if (n > 0)
    kernel<<<(n + 1023) / 1024, 256, 0, stream>>>(n, x, y);
  return cudaGetLastError();
}
