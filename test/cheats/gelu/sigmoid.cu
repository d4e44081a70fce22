// The sigmoid's approximation of the same curve.
// CLASS: other work
// EXPECT: mismatch compare
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] / (1.0f + expf(-1.702f * x[i]));
}
} // namespace

extern "C" cudaError_t autokernel_gelu(int n, const float *x, float *y,
                                       void *workspace, size_t workspace_bytes,
                                       cudaStream_t stream) {
  if (n > 0)
    kernel<<<(n + 255) / 256, 256, 0, stream>>>(n, x, y);
  return cudaGetLastError();
}
