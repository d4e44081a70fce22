// Rounds the number of blocks down.
// CLASS: elements skipped
// EXPECT: mismatch compare
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}
} // namespace

extern "C" cudaError_t autokernel_saxpy(int n, float a, const float *x,
                                        float *y, void *workspace,
                                        size_t workspace_bytes,
                                        cudaStream_t stream) {
  if (n >= 256)
    kernel<<<n / 256, 256, 0, stream>>>(n, a, x, y);
  return cudaGetLastError();
}
