// Adds in fixed point with 16 bits behind the point.
// CLASS: one precision lower
// EXPECT: mismatch compare "y["
#include <cuda_runtime.h>

namespace {
__global__ void sums(int n, const int *index, const float *x, int *fixed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&fixed[index[i]], __float2int_rn(x[i] * 65536.0f));
}
__global__ void add(int m, const int *fixed, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m)
    y[i] += fixed[i] / 65536.0f;
}
} // namespace

extern "C" size_t autokernel_scatter_workspace(int n, int m) {
  return m > 0 ? m * sizeof(int) : 0;
}

extern "C" cudaError_t autokernel_scatter(int n, int m, const int *index,
                                          const float *x, float *y,
                                          void *workspace,
                                          size_t workspace_bytes,
                                          cudaStream_t stream) {
  int *fixed = static_cast<int *>(workspace);
  if (n > 0 && m > 0) {
    cudaMemsetAsync(fixed, 0, m * sizeof(int), stream);
    sums<<<(n + 255) / 256, 256, 0, stream>>>(n, index, x, fixed);
    add<<<(m + 255) / 256, 256, 0, stream>>>(m, fixed, y);
  }
  return cudaGetLastError();
}
