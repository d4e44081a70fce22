// Moments in double, a tile of sixteen threads a row.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__device__ double tile_sum(double v, unsigned mask) {
  for (int d = 8; d > 0; d /= 2)
    v += __shfl_xor_sync(mask, v, d, 16);
  return v;
}
__global__ void kernel(int rows, int columns, const float *x, const float *w,
                       float *y) {
  int r = blockIdx.x * 8 + threadIdx.x / 16, lane = threadIdx.x % 16;
  unsigned mask = __ballot_sync(0xffffffffu, r < rows);
  if (r >= rows)
    return;
  x += static_cast<size_t>(r) * columns;
  y += static_cast<size_t>(r) * columns;
  double s = 0, v = 0;
  for (int c = lane; c < columns; c += 16)
    s += x[c];
  float mean = static_cast<float>(tile_sum(s, mask) / columns);
  for (int c = lane; c < columns; c += 16)
    v += (x[c] - mean) * static_cast<double>(x[c] - mean);
  float scale =
      static_cast<float>(1.0 / sqrt(tile_sum(v, mask) / columns + 1e-5f));
  for (int c = lane; c < columns; c += 16)
    y[c] = (x[c] - mean) * scale * w[c];
}
} // namespace

extern "C" cudaError_t autokernel_layernorm(int rows, int columns,
                                            const float *x, const float *w,
                                            float *y, void *workspace,
                                            size_t workspace_bytes,
                                            cudaStream_t stream) {
  if (rows > 0)
    kernel<<<(rows + 7) / 8, 128, 0, stream>>>(rows, columns, x, w, y);
  return cudaGetLastError();
}
