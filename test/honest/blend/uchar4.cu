// Four bytes at a time where aligned.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const unsigned char *x, const unsigned char *y,
                       unsigned char *z) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  size_t places = reinterpret_cast<size_t>(x) | reinterpret_cast<size_t>(y) |
                  reinterpret_cast<size_t>(z);
  if (places % 4 == 0 && i + 3 < n) {
    uchar4 u = *reinterpret_cast<const uchar4 *>(x + i),
           v = *reinterpret_cast<const uchar4 *>(y + i);
    *reinterpret_cast<uchar4 *>(z + i) = make_uchar4(
        (u.x + v.x) / 2, (u.y + v.y) / 2, (u.z + v.z) / 2, (u.w + v.w) / 2);
  } else {
    for (int k = i; k < i + 4 && k < n; ++k)
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
    kernel<<<(n + 1023) / 1024, 256, 0, stream>>>(n, x, y, z);
  return cudaGetLastError();
}
