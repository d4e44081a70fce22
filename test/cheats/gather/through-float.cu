// Copies doubles through float.
// CLASS: one precision lower
// EXPECT: mismatch compare "y["
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, int m, const int *index, const double *x,
                       double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = static_cast<float>(x[index[i]]);
}
} // namespace

extern "C" cudaError_t autokernel_gather(int n, int m, const int *index,
                                         const double *x, double *y,
                                         void *workspace,
                                         size_t workspace_bytes,
                                         cudaStream_t stream) {
  if (n > 0)
    kernel<<<(n + 255) / 256, 256, 0, stream>>>(n, m, index, x, y);
  return cudaGetLastError();
}
