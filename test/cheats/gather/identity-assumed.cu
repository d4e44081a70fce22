// Takes the indices for ascending where the first is zero.
// CLASS: tests too weak
// EXPECT: mismatch
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, int m, const int *index, const double *x,
                       double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = index[0] == 0 && i < m ? x[i] : x[index[i]];
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
