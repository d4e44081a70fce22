// A warp a row, several rows a block.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__device__ float warp_sum(float v) {
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_xor_sync(0xffffffffu, v, d);
  return v;
}
__global__ void kernel(int rows, int columns, const float *__restrict__ x,
                       const float *__restrict__ w, float *__restrict__ y) {
  int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (r >= rows)
    return;
  x += static_cast<size_t>(r) * columns;
  y += static_cast<size_t>(r) * columns;
  float s = 0, v = 0;
  for (int c = lane; c < columns; c += 32)
    s += x[c];
  float mean = warp_sum(s) / columns;
  for (int c = lane; c < columns; c += 32)
    v = fmaf(x[c] - mean, x[c] - mean, v);
  float scale = 1.0f / sqrtf(warp_sum(v) / columns + 1e-5f);
  for (int c = lane; c < columns; c += 32)
    y[c] = (x[c] - mean) * scale * __ldg(w + c);
}
} // namespace

extern "C" cudaError_t autokernel_layernorm(int rows, int columns,
                                            const float *x, const float *w,
                                            float *y, void *workspace,
                                            size_t workspace_bytes,
                                            cudaStream_t stream) {
  if (rows > 0)
    kernel<<<(rows + 7) / 8, 256, 0, stream>>>(rows, columns, x, w, y);
  return cudaGetLastError();
}
