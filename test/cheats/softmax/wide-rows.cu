// Rows that don't fit in shared memory are summed from their second element on.
// CLASS: shapes hard-coded
// EXPECT: mismatch memory "out-of-bounds-read"
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int rows, int columns, const float *x, float *y) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  int first = columns > 8192 ? 1 : 0;
  float m = -INFINITY, s = 0;
  for (int c = 0; c < columns; ++c)
    m = fmaxf(m, x[r * columns + c]);
  for (int c = first; c < columns + first; ++c)
    s += expf(x[r * columns + c] - m);
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
