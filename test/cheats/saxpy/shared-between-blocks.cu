// Hopes that shared memory still holds what another block left there.
// CLASS: reuse between calls
// EXPECT: mismatch memory "uninitialised-read"
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float left[256];
  float v = left[threadIdx.x];
  if (i < n)
    left[threadIdx.x] = y[i] = v == 12345.0f ? v : a * x[i] + y[i];
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
