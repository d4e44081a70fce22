// Clears the output before adding.
// CLASS: other work
// EXPECT: mismatch compare "y["
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, int m, const int *index, const float *x,
                       float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&y[index[i]], x[i]);
}
} // namespace

extern "C" cudaError_t autokernel_scatter(int n, int m, const int *index,
                                          const float *x, float *y,
                                          void *workspace,
                                          size_t workspace_bytes,
                                          cudaStream_t stream) {
  if (m > 0)
    cudaMemsetAsync(y, 0, m * sizeof(float), stream);
  if (n > 0)
    kernel<<<(n + 255) / 256, 256, 0, stream>>>(n, m, index, x, y);
  return cudaGetLastError();
}
