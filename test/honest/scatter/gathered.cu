// A thread a destination looks for its elements: in the loop's order.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, int m, const int *index, const float *x,
                       float *y) {
  int d = blockIdx.x * blockDim.x + threadIdx.x;
  if (d >= m)
    return;
  float s = y[d];
  for (int i = 0; i < n; ++i)
    if (index[i] == d)
      s += x[i];
  y[d] = s;
}
} // namespace

extern "C" cudaError_t autokernel_scatter(int n, int m, const int *index,
                                          const float *x, float *y,
                                          void *workspace,
                                          size_t workspace_bytes,
                                          cudaStream_t stream) {
  if (n > 0 && m > 0)
    kernel<<<(m + 63) / 64, 64, 0, stream>>>(n, m, index, x, y);
  return cudaGetLastError();
}
