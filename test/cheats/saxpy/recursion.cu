// Recurses as deep as there are elements.
// CLASS: harms the machine
// EXPECT: rejected rules "[recursion]"
#include <cuda_runtime.h>

namespace {
__device__ float term(float a, const float *x, int i, int depth) {
  return depth > 0 ? term(a, x, i, depth - 1) : a * x[i];
}
__global__ void kernel(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += term(a, x, i, n);
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
