// Doubles travel as integers: nothing is computed.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const int *index, const double *x, double *y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    reinterpret_cast<long long *>(y)[i] =
        reinterpret_cast<const long long *>(x)[index[i]];
}
} // namespace

extern "C" cudaError_t autokernel_gather(int n, int m, const int *index,
                                         const double *x, double *y,
                                         void *workspace,
                                         size_t workspace_bytes,
                                         cudaStream_t stream) {
  if (n > 0)
    kernel<<<80, 128, 0, stream>>>(n, index, x, y);
  return cudaGetLastError();
}
