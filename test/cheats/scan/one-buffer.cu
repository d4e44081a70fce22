// Doubling distances in one buffer, which the others still read.
// CLASS: missing barrier
// EXPECT: mismatch race "race"
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int rows, int columns, const float *x, float *y) {
  __shared__ float s[64];
  float carry = 0;
  for (int c0 = 0; c0 < columns; c0 += 64) {
    int t = threadIdx.x, c = c0 + t;
    s[t] = c < columns ? x[blockIdx.x * columns + c] : 0.0f;
    for (int d = 1; d < 64; d *= 2) {
      __syncthreads();
      if (t >= d)
        s[t] += s[t - d];
    }
    __syncthreads();
    if (c < columns)
      y[blockIdx.x * columns + c] = carry + s[t];
    carry += s[63];
    __syncthreads();
  }
}
} // namespace

extern "C" cudaError_t autokernel_scan(int rows, int columns, const float *x,
                                       float *y, void *workspace,
                                       size_t workspace_bytes,
                                       cudaStream_t stream) {
  if (rows > 0)
    kernel<<<rows, 64, 0, stream>>>(rows, columns, x, y);
  return cudaGetLastError();
}
