// Reads the tile before it is complete.
// CLASS: missing barrier
// EXPECT: mismatch
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int rows, int columns, const float *x, float *y) {
  __shared__ float tile[16][17];
  int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
  if (r < rows && c < columns)
    tile[threadIdx.y][threadIdx.x] = x[r * columns + c];
  c = blockIdx.y * 16 + threadIdx.x;
  r = blockIdx.x * 16 + threadIdx.y;
  if (r < columns && c < rows)
    y[r * rows + c] = tile[threadIdx.x][threadIdx.y];
}
} // namespace

extern "C" cudaError_t autokernel_transpose(int rows, int columns,
                                            const float *x, float *y,
                                            void *workspace,
                                            size_t workspace_bytes,
                                            cudaStream_t stream) {
  if (rows > 0 && columns > 0)
    kernel<<<dim3((columns + 15) / 16, (rows + 15) / 16), dim3(16, 16), 0,
             stream>>>(rows, columns, x, y);
  return cudaGetLastError();
}
