// Goes through shared memory, which this loop doesn't need but a fused one may.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, float a, const float *x, float *y) {
  __shared__ float tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
  int mirrored = 255 - threadIdx.x;
  int j = blockIdx.x * 256 + mirrored;
  if (j < n)
    y[j] = a * tile[mirrored] + y[j];
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
