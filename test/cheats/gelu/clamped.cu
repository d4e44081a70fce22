// Takes the line from 3 on.
// CLASS: other work
// EXPECT: mismatch compare
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = x[i];
    y[i] = v > 3.0f
               ? v
               : 0.5f * v *
                     (1.0f + tanhf(0.79788456f * (v + 0.044715f * v * v * v)));
  }
}
} // namespace

extern "C" cudaError_t autokernel_gelu(int n, const float *x, float *y,
                                       void *workspace, size_t workspace_bytes,
                                       cudaStream_t stream) {
  if (n > 0)
    kernel<<<(n + 255) / 256, 256, 0, stream>>>(n, x, y);
  return cudaGetLastError();
}
