// Four means in one word without carries between its bytes.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const unsigned char *x, const unsigned char *y,
                       unsigned char *z) {
  int words = n / 4;
  size_t places = reinterpret_cast<size_t>(x) | reinterpret_cast<size_t>(y) |
                  reinterpret_cast<size_t>(z);
  if (places % 4 != 0)
    words = 0;
  int thread = blockIdx.x * blockDim.x + threadIdx.x,
      threads = gridDim.x * blockDim.x;
  for (int w = thread; w < words; w += threads) {
    unsigned u = reinterpret_cast<const unsigned *>(x)[w],
             v = reinterpret_cast<const unsigned *>(y)[w];
    reinterpret_cast<unsigned *>(z)[w] =
        (u & v) + (((u ^ v) & 0xfefefefeu) >> 1);
  }
  for (int i = 4 * words + thread; i < n; i += threads)
    z[i] = (x[i] + y[i]) >> 1;
}
} // namespace

extern "C" cudaError_t autokernel_blend(int n, const unsigned char *x,
                                        const unsigned char *y,
                                        unsigned char *z, void *workspace,
                                        size_t workspace_bytes,
                                        cudaStream_t stream) {
  if (n > 0)
    kernel<<<(n + 511) / 512, 128, 0, stream>>>(n, x, y, z);
  return cudaGetLastError();
}
