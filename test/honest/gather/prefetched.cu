// The indices of four elements are read before any of the elements.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const int *__restrict__ index,
                       const double *__restrict__ x, double *__restrict__ y) {
  int at[4];
  for (int k = 0; k < 4; ++k) {
    int i = (blockIdx.x * 4 + k) * blockDim.x + threadIdx.x;
    at[k] = i < n ? __ldg(index + i) : -1;
  }
  for (int k = 0; k < 4; ++k)
    if (at[k] >= 0)
      y[(blockIdx.x * 4 + k) * blockDim.x + threadIdx.x] = __ldg(x + at[k]);
}
} // namespace

extern "C" cudaError_t autokernel_gather(int n, int m, const int *index,
                                         const double *x, double *y,
                                         void *workspace,
                                         size_t workspace_bytes,
                                         cudaStream_t stream) {
  if (n > 0)
    kernel<<<(n + 511) / 512, 128, 0, stream>>>(n, index, x, y);
  return cudaGetLastError();
}
