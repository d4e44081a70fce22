// Divides by zero in one thread, which traps on some processors.
// CLASS: tests too weak
// EXPECT: mismatch memory "divide-by-zero"
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int share = 100 / (i - 100);
  if (i < n)
    y[i] = a * x[i] + y[i] + (share > 1000);
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
