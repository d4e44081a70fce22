// Bytes are exact in half precision: two at a time.
// EXPECT: accepted
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const unsigned char *x, const unsigned char *y,
                       unsigned char *z) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n)
    return;
  int next = i + 1 < n ? i + 1 : i;
  __half2 u = __floats2half2_rn(x[i], x[next]),
          v = __floats2half2_rn(y[i], y[next]);
  float2 mean =
      __half22float2(h2floor(__hmul2(__hadd2(u, v), __float2half2_rn(0.5f))));
  z[i] = static_cast<unsigned char>(mean.x);
  if (next != i)
    z[next] = static_cast<unsigned char>(mean.y);
}
} // namespace

extern "C" cudaError_t autokernel_blend(int n, const unsigned char *x,
                                        const unsigned char *y,
                                        unsigned char *z, void *workspace,
                                        size_t workspace_bytes,
                                        cudaStream_t stream) {
  if (n > 0)
    kernel<<<(n + 511) / 512, 256, 0, stream>>>(n, x, y, z);
  return cudaGetLastError();
}
