// Leaves an element out whose neighbour has the same destination.
// CLASS: elements skipped
// EXPECT: mismatch compare "y["
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, int m, const int *index, const float *x,
                       float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && (i == 0 || index[i] != index[i - 1]))
    atomicAdd(&y[index[i]], x[i]);
}
} // namespace

extern "C" cudaError_t autokernel_scatter(int n, int m, const int *index,
                                          const float *x, float *y,
                                          void *workspace,
                                          size_t workspace_bytes,
                                          cudaStream_t stream) {
  if (n > 0)
    kernel<<<(n + 255) / 256, 256, 0, stream>>>(n, m, index, x, y);
  return cudaGetLastError();
}
