// A grid of few blocks; the polynomial by Horner's rule.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__device__ float gelu(float v) {
  float u = 0.79788456f * fmaf(0.044715f * v * v, v, v);
  return 0.5f * v * (1.0f + tanhf(u));
}
__global__ void kernel(int n, const float *__restrict__ x,
                       float *__restrict__ y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    y[i] = gelu(x[i]);
}
} // namespace

extern "C" cudaError_t autokernel_gelu(int n, const float *x, float *y,
                                       void *workspace, size_t workspace_bytes,
                                       cudaStream_t stream) {
  if (n > 0)
    kernel<<<96, 192, 0, stream>>>(n, x, y);
  return cudaGetLastError();
}
