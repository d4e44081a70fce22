// The grid is folded into two dimensions.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, float a, const float *x, float *y) {
  long long block = blockIdx.y * static_cast<long long>(gridDim.x) + blockIdx.x;
  long long i = block * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += a * x[i];
}
} // namespace

extern "C" cudaError_t autokernel_saxpy(int n, float a, const float *x,
                                        float *y, void *workspace,
                                        size_t workspace_bytes,
                                        cudaStream_t stream) {
  int blocks = (n + 255) / 256;
  if (n > 0)
    kernel<<<dim3(32, (blocks + 31) / 32), 256, 0, stream>>>(n, a, x, y);
  return cudaGetLastError();
}
