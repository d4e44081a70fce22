// Words of four bytes wherever the arrays begin.
// CLASS: tests too weak
// EXPECT: mismatch memory "misaligned"
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const unsigned char *x, const unsigned char *y,
                       unsigned char *z) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i + 3 < n) {
    unsigned u = reinterpret_cast<const unsigned *>(x)[i],
             v = reinterpret_cast<const unsigned *>(y)[i];
    reinterpret_cast<unsigned *>(z)[i] =
        (u & v) + (((u ^ v) & 0xfefefefeu) >> 1);
  } else {
    for (int k = 4 * i; k < n; ++k)
      z[k] = (x[k] + y[k]) / 2;
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
