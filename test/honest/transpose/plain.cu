// One thread an element.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int rows, int columns, const float *x, float *y) {
  int c = blockIdx.x * blockDim.x + threadIdx.x,
      r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < columns)
    y[c * rows + r] = x[r * columns + c];
}
} // namespace

extern "C" cudaError_t autokernel_transpose(int rows, int columns,
                                            const float *x, float *y,
                                            void *workspace,
                                            size_t workspace_bytes,
                                            cudaStream_t stream) {
  if (rows > 0 && columns > 0)
    kernel<<<dim3((columns + 31) / 32, (rows + 7) / 8), dim3(32, 8), 0,
             stream>>>(rows, columns, x, y);
  return cudaGetLastError();
}
