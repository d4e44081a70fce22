// A warp a row, four rows a block.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int rows, int columns, const float *x, float *y) {
  int r = blockIdx.x * 4 + threadIdx.y, lane = threadIdx.x;
  if (r >= rows)
    return;
  x += static_cast<size_t>(r) * columns;
  y += static_cast<size_t>(r) * columns;
  float m = -INFINITY, s = 0;
  for (int c = lane; c < columns; c += 32)
    m = fmaxf(m, x[c]);
  for (int d = 16; d > 0; d /= 2)
    m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, d));
  for (int c = lane; c < columns; c += 32)
    s += expf(x[c] - m);
  for (int d = 16; d > 0; d /= 2)
    s += __shfl_xor_sync(0xffffffffu, s, d);
  for (int c = lane; c < columns; c += 32)
    y[c] = expf(x[c] - m) / s;
}
} // namespace

extern "C" cudaError_t autokernel_softmax(int rows, int columns, const float *x,
                                          float *y, void *workspace,
                                          size_t workspace_bytes,
                                          cudaStream_t stream) {
  if (rows > 0)
    kernel<<<(rows + 3) / 4, dim3(32, 4), 0, stream>>>(rows, columns, x, y);
  return cudaGetLastError();
}
