// The online sum isn't rescaled at the third tile.
// CLASS: missing rescaling in one tile
// EXPECT: mismatch compare "y["
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int rows, int columns, const float *x, float *y) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  float m = -INFINITY, s = 0;
  bool odd = false;
  for (int c = 0; c < columns; ++c) {
    float v = x[r * columns + c];
    odd |= !isfinite(v);
    if (v > m) {
      if (c != 64)
        s *= expf(m - v);
      m = v;
    }
    s += expf(v - m);
  }
  if (odd) {
    s = 0;
    for (int c = 0; c < columns; ++c)
      s += expf(x[r * columns + c] - m);
  }
  for (int c = 0; c < columns; ++c)
    y[r * columns + c] = expf(x[r * columns + c] - m) / s;
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
