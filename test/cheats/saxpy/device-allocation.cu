// Allocates in the kernel.
// CLASS: harms the machine
// EXPECT: rejected rules "memory allocation in kernels"
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float *own = static_cast<float *>(malloc(4));
  if (i < n)
    y[i] = a * x[i] + y[i];
  free(own);
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
