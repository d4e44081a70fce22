// Rounds the mean up.
// CLASS: other work
// EXPECT: mismatch compare "z["
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const unsigned char *x, const unsigned char *y,
                       unsigned char *z) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    z[i] = (x[i] + y[i] + 1) / 2;
}
} // namespace

extern "C" cudaError_t autokernel_blend(int n, const unsigned char *x,
                                        const unsigned char *y,
                                        unsigned char *z, void *workspace,
                                        size_t workspace_bytes,
                                        cudaStream_t stream) {
  if (n > 0)
    kernel<<<(n + 255) / 256, 256, 0, stream>>>(n, x, y, z);
  return cudaGetLastError();
}
