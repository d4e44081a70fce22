// All elements of a row are equally likely.
// CLASS: output without computing
// EXPECT: mismatch compare "y["
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int rows, int columns, const float *x, float *y) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows)
    for (int c = 0; c < columns; ++c)
      y[r * columns + c] = 1.0f / columns;
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
