// A block a row, maximum and sum through shared memory.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__device__ float reduce(float v, bool maximum) {
  __shared__ float s[128];
  __syncthreads();
  s[threadIdx.x] = v;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      float other = s[threadIdx.x + half], own = s[threadIdx.x];
      s[threadIdx.x] = maximum ? (other > own ? other : own) : own + other;
    }
    __syncthreads();
  }
  return s[0];
}
__global__ void kernel(int columns, const float *x, float *y) {
  const float *row = x + static_cast<long long>(blockIdx.x) * columns;
  float *out = y + static_cast<long long>(blockIdx.x) * columns;
  float m = -INFINITY, s = 0;
  for (int c = threadIdx.x; c < columns; c += 128)
    m = row[c] > m ? row[c] : m;
  m = reduce(m, true);
  for (int c = threadIdx.x; c < columns; c += 128)
    s += expf(row[c] - m);
  s = reduce(s, false);
  for (int c = threadIdx.x; c < columns; c += 128)
    out[c] = expf(row[c] - m) / s;
}
} // namespace

extern "C" cudaError_t autokernel_softmax(int rows, int columns, const float *x,
                                          float *y, void *workspace,
                                          size_t workspace_bytes,
                                          cudaStream_t stream) {
  if (rows > 0 && columns > 0)
    kernel<<<rows, 128, 0, stream>>>(columns, x, y);
  return cudaGetLastError();
}
