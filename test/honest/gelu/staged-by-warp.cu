// Each lane computes its neighbour's element, handed over by shuffles.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? x[i] : 0.0f;
  float other = __shfl_xor_sync(0xffffffffu, v, 1);
  float g =
      0.5f * other *
      (1.0f + tanhf(0.79788456f * (other + 0.044715f * other * other * other)));
  g = __shfl_xor_sync(0xffffffffu, g, 1);
  if (i < n)
    y[i] = g;
}
} // namespace

extern "C" cudaError_t autokernel_gelu(int n, const float *x, float *y,
                                       void *workspace, size_t workspace_bytes,
                                       cudaStream_t stream) {
  if (n > 0)
    kernel<<<(n + 255) / 256, 256, 0, stream>>>(n, x, y);
  return cudaGetLastError();
}
