// A small grid, indices through the read-only path.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const int *__restrict__ index,
                       const float *__restrict__ x, float *y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    atomicAdd(&y[__ldg(index + i)], __ldg(x + i));
}
} // namespace

extern "C" cudaError_t autokernel_scatter(int n, int m, const int *index,
                                          const float *x, float *y,
                                          void *workspace,
                                          size_t workspace_bytes,
                                          cudaStream_t stream) {
  if (n > 0)
    kernel<<<40, 64, 0, stream>>>(n, index, x, y);
  return cudaGetLastError();
}
