// The lower half in one launch, the upper in another.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int first, int last, float a, const float *x, float *y) {
  int i = first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < last)
    y[i] = a * x[i] + y[i];
}
} // namespace

extern "C" cudaError_t autokernel_saxpy(int n, float a, const float *x,
                                        float *y, void *workspace,
                                        size_t workspace_bytes,
                                        cudaStream_t stream) {
  int half = n / 2;
  if (half > 0)
    kernel<<<(half + 255) / 256, 256, 0, stream>>>(0, half, a, x, y);
  if (n > half)
    kernel<<<(n - half + 255) / 256, 256, 0, stream>>>(half, n, a, x, y);
  return cudaGetLastError();
}
