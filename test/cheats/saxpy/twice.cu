// Two blocks do each element, which is right only if neither sees the other.
// CLASS: races that pass by luck
// EXPECT: mismatch race "race"
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
  if (n > 0)
    kernel<<<dim3((n + 255) / 256, 2), 256, 0, stream>>>(n, a, x, y);
  return cudaGetLastError();
}
