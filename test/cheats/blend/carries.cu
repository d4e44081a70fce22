// The packed mean without its mask: bits move into the neighbour's byte.
// CLASS: other work
// EXPECT: mismatch compare "z["
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const unsigned char *x, const unsigned char *y,
                       unsigned char *z) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned u = x[i] | x[i] << 8, v = y[i] | y[i] << 8;
    z[i] = static_cast<unsigned char>((u & v) + ((u ^ v) >> 1));
  }
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
