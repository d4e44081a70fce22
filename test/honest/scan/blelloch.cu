// Up and down a tree in shared memory, chunk by chunk.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int columns, const float *x, float *y) {
  __shared__ float s[64];
  float carry = 0;
  int t = threadIdx.x;
  for (int c0 = 0; c0 < columns; c0 += 64) {
    int c = c0 + t;
    float v = c < columns ? x[blockIdx.x * columns + c] : 0.0f;
    s[t] = v;
    for (int d = 1; d < 64; d *= 2) {
      __syncthreads();
      int at = (t + 1) * 2 * d - 1;
      if (at < 64)
        s[at] += s[at - d];
    }
    __syncthreads();
    float sum = s[63];
    __syncthreads();
    if (t == 0)
      s[63] = 0;
    for (int d = 32; d > 0; d /= 2) {
      __syncthreads();
      int at = (t + 1) * 2 * d - 1;
      if (at < 64) {
        float left = s[at - d];
        s[at - d] = s[at];
        s[at] += left;
      }
    }
    __syncthreads();
    if (c < columns)
      y[blockIdx.x * columns + c] = carry + s[t] + v;
    carry += sum;
    __syncthreads();
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
