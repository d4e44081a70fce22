// Equal destinations within a warp are added up before the atomic.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const int *index, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, to = i < n ? index[i] : -1;
  float own = i < n ? x[i] : 0.0f, sum = 0;
  unsigned same = __match_any_sync(0xffffffffu, to);
  for (int from = 0; from < 32; ++from) {
    float v = __shfl_sync(0xffffffffu, own, from);
    if (same >> from & 1u)
      sum += v;
  }
  if (to >= 0 && lane == __ffs(same) - 1)
    atomicAdd(y + to, sum);
}
} // namespace

extern "C" cudaError_t autokernel_scatter(int n, int m, const int *index,
                                          const float *x, float *y,
                                          void *workspace,
                                          size_t workspace_bytes,
                                          cudaStream_t stream) {
  if (n > 0)
    kernel<<<(n + 255) / 256, 256, 0, stream>>>(n, index, x, y);
  return cudaGetLastError();
}
