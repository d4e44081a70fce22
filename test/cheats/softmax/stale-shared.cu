// The second reduction writes shared memory that the first is still read from.
// CLASS: stale shared memory
// EXPECT: mismatch race "race"
#include <cuda_runtime.h>

namespace {
__device__ float combine(float v, bool maximum) {
  __shared__ float s[64];
  s[threadIdx.x] = v;
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      float other = s[threadIdx.x + half], own = s[threadIdx.x];
      s[threadIdx.x] = maximum ? (other > own ? other : own) : own + other;
    }
    __syncthreads();
  }
  return s[0];
}
__global__ void kernel(int columns, const float *x, float *y) {
  float m = -INFINITY, s = 0;
  for (int c = threadIdx.x; c < columns; c += 64)
    m = fmaxf(m, x[blockIdx.x * columns + c]);
  m = combine(m, true);
  for (int c = threadIdx.x; c < columns; c += 64)
    s += expf(x[blockIdx.x * columns + c] - m);
  s = combine(s, false);
  for (int c = threadIdx.x; c < columns; c += 64)
    y[blockIdx.x * columns + c] = expf(x[blockIdx.x * columns + c] - m) / s;
}
} // namespace

extern "C" cudaError_t autokernel_softmax(int rows, int columns, const float *x,
                                          float *y, void *workspace,
                                          size_t workspace_bytes,
                                          cudaStream_t stream) {
  if (rows > 0 && columns > 0)
    kernel<<<rows, 64, 0, stream>>>(columns, x, y);
  return cudaGetLastError();
}
