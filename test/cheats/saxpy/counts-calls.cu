// Counts its calls in device memory and could stop working after some.
// CLASS: reuse between calls
// EXPECT: rejected rules "[state]"
#include <cuda_runtime.h>

namespace {
__device__ int calls;
__global__ void kernel(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0)
    ++calls;
  if (i < n && calls < 1000)
    y[i] = a * x[i] + y[i];
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
