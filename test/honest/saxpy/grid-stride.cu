// A fixed grid strides over the elements.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, float a, const float *__restrict__ x,
                       float *__restrict__ y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    y[i] = fmaf(a, x[i], y[i]);
}
} // namespace

extern "C" cudaError_t autokernel_saxpy(int n, float a, const float *x,
                                        float *y, void *workspace,
                                        size_t workspace_bytes,
                                        cudaStream_t stream) {
  if (n > 0)
    kernel<<<64, 128, 0, stream>>>(n, a, x, y);
  return cudaGetLastError();
}
