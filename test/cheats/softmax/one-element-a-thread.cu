// Rows of more than 128 columns are cut off.
// CLASS: shapes hard-coded
// EXPECT: mismatch compare "y["
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int columns, const float *x, float *y) {
  __shared__ float v[128];
  int c = threadIdx.x;
  v[c] = c < columns ? x[blockIdx.x * columns + c] : -INFINITY;
  __syncthreads();
  float m = -INFINITY, s = 0;
  for (int k = 0; k < 128 && k < columns; ++k)
    m = v[k] > m ? v[k] : m;
  for (int k = 0; k < 128 && k < columns; ++k)
    s += expf(v[k] - m);
  if (c < columns)
    y[blockIdx.x * columns + c] = expf(v[c] - m) / s;
}
} // namespace

extern "C" cudaError_t autokernel_softmax(int rows, int columns, const float *x,
                                          float *y, void *workspace,
                                          size_t workspace_bytes,
                                          cudaStream_t stream) {
  if (rows > 0)
    kernel<<<rows, 128, 0, stream>>>(columns, x, y);
  return cudaGetLastError();
}
