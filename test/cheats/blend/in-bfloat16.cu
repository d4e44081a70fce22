// bfloat16 holds bytes, but not their sums.
// CLASS: one precision lower
// EXPECT: mismatch compare "z["
#include <cuda_bf16.h>
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const unsigned char *x, const unsigned char *y,
                       unsigned char *z) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    z[i] = static_cast<unsigned char>(
        __bfloat162float(__float2bfloat16(x[i]) + __float2bfloat16(y[i])) / 2);
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
