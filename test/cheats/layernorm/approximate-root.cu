// The root's first guess without Newton's step.
// CLASS: one precision lower
// EXPECT: mismatch compare "y["
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int rows, int columns, const float *x, const float *w,
                       float *y) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  x += r * columns;
  y += r * columns;
  float mean = 0, v = 0;
  for (int c = 0; c < columns; ++c)
    mean += x[c];
  mean /= columns;
  for (int c = 0; c < columns; ++c)
    v += (x[c] - mean) * (x[c] - mean);
  v = v / columns + 1e-5f;
  float scale = __int_as_float(0x5f3759df - (__float_as_int(v) >> 1));
  scale *= 1.5f - 0.5f * v * scale * scale;
  for (int c = 0; c < columns; ++c)
    y[c] = (x[c] - mean) * scale * w[c];
}
} // namespace

extern "C" cudaError_t autokernel_layernorm(int rows, int columns,
                                            const float *x, const float *w,
                                            float *y, void *workspace,
                                            size_t workspace_bytes,
                                            cudaStream_t stream) {
  if (rows > 0)
    kernel<<<(rows + 63) / 64, 64, 0, stream>>>(rows, columns, x, w, y);
  return cudaGetLastError();
}
