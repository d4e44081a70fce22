// Four independent elements a thread, a block apart.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
constexpr int PerThread = 4;
__global__ void kernel(int n, float a, const float *__restrict__ x,
                       float *__restrict__ y) {
  int first = blockIdx.x * blockDim.x * PerThread + threadIdx.x;
  float v[PerThread];
#pragma unroll
  for (int k = 0; k < PerThread; ++k) {
    int i = first + k * blockDim.x;
    v[k] = i < n ? a * x[i] + y[i] : 0.0f;
  }
#pragma unroll
  for (int k = 0; k < PerThread; ++k) {
    int i = first + k * blockDim.x;
    if (i < n)
      y[i] = v[k];
  }
}
} // namespace

extern "C" cudaError_t autokernel_saxpy(int n, float a, const float *x,
                                        float *y, void *workspace,
                                        size_t workspace_bytes,
                                        cudaStream_t stream) {
  int block = 128 * PerThread;
  if (n > 0)
    kernel<<<(n + block - 1) / block, 128, 0, stream>>>(n, a, x, y);
  return cudaGetLastError();
}
