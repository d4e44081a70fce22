// Maximum and sum in one pass; the sum is rescaled as the maximum grows.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__device__ void merge(float &m, float &s, float m2, float s2) {
  if (m2 > m) {
    s = s * expf(m - m2) + s2;
    m = m2;
  } else if (s2 != 0) {
    s += s2 * (m == m2 ? 1.0f : expf(m2 - m));
  }
}
__global__ void kernel(int columns, const float *x, float *y) {
  x += static_cast<size_t>(blockIdx.x) * columns;
  y += static_cast<size_t>(blockIdx.x) * columns;
  float m = -INFINITY, s = 0;
  bool odd = false;
  for (int c = threadIdx.x; c < columns; c += 32) {
    odd |= !isfinite(x[c]);
    merge(m, s, x[c], 1.0f);
  }
  odd = __any_sync(0xffffffffu, odd);
  for (int d = 16; d > 0; d /= 2) {
    float m2 = __shfl_xor_sync(0xffffffffu, m, d),
          s2 = __shfl_xor_sync(0xffffffffu, s, d);
    merge(m, s, m2, s2);
  }
  if (odd) { // the loop's way, in its order of infinities
    s = 0;
    m = -INFINITY;
    for (int c = 0; c < columns; ++c)
      m = x[c] > m ? x[c] : m;
    for (int c = 0; c < columns; ++c)
      s += expf(x[c] - m);
  }
  for (int c = threadIdx.x; c < columns; c += 32)
    y[c] = expf(x[c] - m) / s;
}
} // namespace

extern "C" cudaError_t autokernel_softmax(int rows, int columns, const float *x,
                                          float *y, void *workspace,
                                          size_t workspace_bytes,
                                          cudaStream_t stream) {
  if (rows > 0 && columns > 0)
    kernel<<<rows, 32, 0, stream>>>(columns, x, y);
  return cudaGetLastError();
}
