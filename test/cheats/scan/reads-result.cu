// Adds to the neighbour's result in a launch of its own: right for one row only
// if threads run in order.
// CLASS: races that pass by luck
// EXPECT: mismatch
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int rows, int columns, const float *x, float *y) {
  int c = threadIdx.x;
  for (; c < columns; c += 32)
    y[blockIdx.x * columns + c] =
        x[blockIdx.x * columns + c] +
        (c > 0 ? y[blockIdx.x * columns + c - 1] : 0.0f);
}
} // namespace

extern "C" cudaError_t autokernel_scan(int rows, int columns, const float *x,
                                       float *y, void *workspace,
                                       size_t workspace_bytes,
                                       cudaStream_t stream) {
  if (rows > 0)
    kernel<<<rows, 32, 0, stream>>>(rows, columns, x, y);
  return cudaGetLastError();
}
