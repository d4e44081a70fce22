// A padded tile of shared memory: reads and writes are both along rows.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int rows, int columns, const float *x, float *y) {
  __shared__ float tile[32][33];
  int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    if (r + k < rows && c < columns)
      tile[threadIdx.y + k][threadIdx.x] = x[(r + k) * columns + c];
  __syncthreads();
  c = blockIdx.y * 32 + threadIdx.x;
  r = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    if (r + k < columns && c < rows)
      y[(r + k) * rows + c] = tile[threadIdx.x][threadIdx.y + k];
}
} // namespace

extern "C" cudaError_t autokernel_transpose(int rows, int columns,
                                            const float *x, float *y,
                                            void *workspace,
                                            size_t workspace_bytes,
                                            cudaStream_t stream) {
  if (rows > 0 && columns > 0)
    kernel<<<dim3((columns + 31) / 32, (rows + 31) / 32), dim3(32, 8), 0,
             stream>>>(rows, columns, x, y);
  return cudaGetLastError();
}
