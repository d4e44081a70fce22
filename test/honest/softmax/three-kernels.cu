// Maximum, sum and quotient in a launch each, through the workspace.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void maxima(int rows, int columns, const float *x, float *m) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  float best = -INFINITY;
  for (int c = 0; c < columns; ++c)
    best = fmaxf(best, x[static_cast<size_t>(r) * columns + c]);
  m[r] = best;
}
__global__ void sums(int rows, int columns, const float *x, const float *m,
                     float *s) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  float sum = 0;
  for (int c = 0; c < columns; ++c)
    sum += expf(x[static_cast<size_t>(r) * columns + c] - m[r]);
  s[r] = sum;
}
__global__ void quotients(int columns, long long count, const float *x,
                          const float *m, const float *s, float *y) {
  long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i < count)
    y[i] = expf(x[i] - m[i / columns]) / s[i / columns];
}
} // namespace

extern "C" size_t autokernel_softmax_workspace(int rows, int columns) {
  return rows > 0 ? 2 * sizeof(float) * static_cast<size_t>(rows) : 0;
}

extern "C" cudaError_t autokernel_softmax(int rows, int columns, const float *x,
                                          float *y, void *workspace,
                                          size_t workspace_bytes,
                                          cudaStream_t stream) {
  float *m = static_cast<float *>(workspace);
  float *s = m + (rows > 0 ? rows : 0);
  long long count = static_cast<long long>(rows) * columns;
  if (rows > 0 && columns > 0) {
    maxima<<<(rows + 31) / 32, 32, 0, stream>>>(rows, columns, x, m);
    sums<<<(rows + 31) / 32, 32, 0, stream>>>(rows, columns, x, m, s);
    quotients<<<static_cast<unsigned>((count + 127) / 128), 128, 0, stream>>>(
        columns, count, x, m, s, y);
  }
  return cudaGetLastError();
}
