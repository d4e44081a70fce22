// One thread a row, as the loop has it.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int rows, int columns, const float *x, float *y) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  x += static_cast<long long>(r) * columns;
  y += static_cast<long long>(r) * columns;
  float m = -INFINITY, s = 0;
  for (int c = 0; c < columns; ++c)
    m = x[c] > m ? x[c] : m;
  for (int c = 0; c < columns; ++c)
    s += y[c] = expf(x[c] - m);
  for (int c = 0; c < columns; ++c)
    y[c] /= s;
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
