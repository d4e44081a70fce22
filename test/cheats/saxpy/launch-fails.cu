// Asks for 2048 threads a block and doesn't tell that the launch failed.
// CLASS: launch failure ignored
// EXPECT: mismatch memory "bad-launch"
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
    kernel<<<(n + 2047) / 2048, 2048, 0, stream>>>(n, a, x, y);
  return cudaSuccess;
}
