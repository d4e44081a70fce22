// The product goes through the workspace in a kernel of its own.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void scale(int n, float a, const float *x, float *product) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    product[i] = a * x[i];
}
__global__ void add(int n, const float *product, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += product[i];
}
} // namespace

extern "C" size_t autokernel_saxpy_workspace(int n, float a) {
  return n > 0 ? static_cast<size_t>(n) * sizeof(float) : 0;
}

extern "C" cudaError_t autokernel_saxpy(int n, float a, const float *x,
                                        float *y, void *workspace,
                                        size_t workspace_bytes,
                                        cudaStream_t stream) {
  float *product = static_cast<float *>(workspace);
  if (n > 0) {
    scale<<<(n + 255) / 256, 256, 0, stream>>>(n, a, x, product);
    add<<<(n + 255) / 256, 256, 0, stream>>>(n, product, y);
  }
  return cudaGetLastError();
}
