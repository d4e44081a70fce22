// The last block reads the others' sums without a fence.
// CLASS: races that pass by luck
// EXPECT: mismatch race "race"
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const float *x, float *result, float *sums,
                       unsigned *finished) {
  float v = 0;
  for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i += gridDim.x * 32)
    v += x[i];
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_xor_sync(0xffffffffu, v, d);
  if (threadIdx.x != 0)
    return;
  sums[blockIdx.x] = v;
  if (atomicAdd(finished, 1u) != gridDim.x - 1)
    return;
  for (int b = 0; b < gridDim.x; ++b)
    *result += sums[b];
}
} // namespace

extern "C" size_t autokernel_sum_workspace(int n) { return 9 * sizeof(float); }

extern "C" cudaError_t autokernel_sum(int n, const float *x, float *s_result,
                                      void *workspace, size_t workspace_bytes,
                                      cudaStream_t stream) {
  float *sums = static_cast<float *>(workspace);
  unsigned *finished = reinterpret_cast<unsigned *>(sums + 8);
  if (n > 0) {
    cudaMemsetAsync(finished, 0, sizeof(unsigned), stream);
    kernel<<<8, 32, 0, stream>>>(n, x, s_result, sums, finished);
  }
  return cudaGetLastError();
}
