// A block a row, doubling distances between two buffers.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int columns, const float *x, float *y) {
  __shared__ float s[2][64];
  __shared__ float carry;
  int t = threadIdx.x;
  if (t == 0)
    carry = 0;
  for (int c0 = 0; c0 < columns; c0 += 64) {
    int c = c0 + t, now = 0;
    s[0][t] = c < columns ? x[blockIdx.x * columns + c] : 0.0f;
    for (int d = 1; d < 64; d *= 2, now ^= 1) {
      __syncthreads();
      s[now ^ 1][t] = t >= d ? s[now][t] + s[now][t - d] : s[now][t];
    }
    __syncthreads();
    float v = s[now][t] + carry;
    if (c < columns)
      y[blockIdx.x * columns + c] = v;
    __syncthreads();
    if (t == 63)
      carry = v;
  }
}
} // namespace

extern "C" cudaError_t autokernel_scan(int rows, int columns, const float *x,
                                       float *y, void *workspace,
                                       size_t workspace_bytes,
                                       cudaStream_t stream) {
  if (rows > 0 && columns > 0)
    kernel<<<rows, 64, 0, stream>>>(columns, x, y);
  return cudaGetLastError();
}
