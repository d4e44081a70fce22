// Adds up the sums of the first 64 blocks only.
// CLASS: elements skipped
// EXPECT: mismatch compare "s is"
#include <cuda_runtime.h>

namespace {
__global__ void partial(int n, const float *x, float *sums) {
  int i = blockIdx.x * 32 + threadIdx.x;
  float v = i < n ? x[i] : 0.0f;
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_xor_sync(0xffffffffu, v, d);
  if (threadIdx.x == 0 && blockIdx.x < 64)
    sums[blockIdx.x] = v;
}
__global__ void total(int blocks, const float *sums, float *result) {
  for (int b = 0; b < blocks; ++b)
    *result += sums[b];
}
} // namespace

extern "C" size_t autokernel_sum_workspace(int n) { return 64 * sizeof(float); }

extern "C" cudaError_t autokernel_sum(int n, const float *x, float *s_result,
                                      void *workspace, size_t workspace_bytes,
                                      cudaStream_t stream) {
  float *sums = static_cast<float *>(workspace);
  int blocks = (n + 31) / 32;
  if (n > 0) {
    partial<<<blocks, 32, 0, stream>>>(n, x, sums);
    total<<<1, 1, 0, stream>>>(min(blocks, 64), sums, s_result);
  }
  return cudaGetLastError();
}
