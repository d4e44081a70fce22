// A grid-stride loop over the output.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int rows, int columns, const float *x, float *y) {
  long long count = static_cast<long long>(rows) * columns;
  for (long long i =
           blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
       i < count; i += static_cast<long long>(gridDim.x) * blockDim.x)
    y[i] = x[i % rows * columns + i / rows];
}
} // namespace

extern "C" cudaError_t autokernel_transpose(int rows, int columns,
                                            const float *x, float *y,
                                            void *workspace,
                                            size_t workspace_bytes,
                                            cudaStream_t stream) {
  if (rows > 0 && columns > 0)
    kernel<<<60, 128, 0, stream>>>(rows, columns, x, y);
  return cudaGetLastError();
}
