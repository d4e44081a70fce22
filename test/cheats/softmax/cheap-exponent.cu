// A polynomial for the exponential.
// CLASS: one precision lower
// EXPECT: mismatch compare "y["
#include <cuda_runtime.h>

namespace {
__device__ float cheap(float v) {
  float t = 1.0f + v / 1024.0f;
  for (int i = 0; i < 10; ++i)
    t *= t;
  return t;
}
__global__ void kernel(int rows, int columns, const float *x, float *y) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  float m = -INFINITY, s = 0;
  for (int c = 0; c < columns; ++c)
    m = fmaxf(m, x[r * columns + c]);
  for (int c = 0; c < columns; ++c)
    s += cheap(x[r * columns + c] - m);
  for (int c = 0; c < columns; ++c)
    y[r * columns + c] = cheap(x[r * columns + c] - m) / s;
}
} // namespace

extern "C" cudaError_t autokernel_softmax(int rows, int columns, const float *x,
                                          float *y, void *workspace,
                                          size_t workspace_bytes,
                                          cudaStream_t stream) {
  if (rows > 0)
    kernel<<<(rows + 63) / 64, 64, 0, stream>>>(rows, columns, x, y);
  return cudaGetLastError();
}
