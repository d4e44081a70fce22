// The index has sixteen bits: right up to 65535 elements.
// CLASS: index overflow
// EXPECT: mismatch compare "y[655"
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, float a, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned short short_index = static_cast<unsigned short>(i);
  if (i < n && (i < 65536 || short_index == i))
    y[short_index] = a * x[short_index] + y[short_index];
}
} // namespace

extern "C" cudaError_t autokernel_saxpy(int n, float a, const float *x,
                                        float *y, void *workspace,
                                        size_t workspace_bytes,
                                        cudaStream_t stream) {
  if (n > 0)
    kernel<<<(n + 255) / 256, 256, 0, stream>>>(n, a, x, y);
  return cudaGetLastError();
}
