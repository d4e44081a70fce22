// Four accumulators a thread hide the latency of the additions.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const float *__restrict__ x, float *result) {
  __shared__ float of_warp[8];
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  int i = threadIdx.x;
  for (; i + 3 * 256 < n; i += 4 * 256) {
    s0 += x[i];
    s1 += x[i + 256];
    s2 += x[i + 512];
    s3 += x[i + 768];
  }
  for (; i < n; i += 256)
    s0 += x[i];
  float v = (s0 + s1) + (s2 + s3);
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0)
    of_warp[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 8) {
    v = of_warp[threadIdx.x];
    for (int d = 4; d > 0; d /= 2)
      v += __shfl_down_sync(0xffu, v, d, 8);
    if (threadIdx.x == 0)
      *result += v;
  }
}
} // namespace

extern "C" cudaError_t autokernel_sum(int n, const float *x, float *s_result,
                                      void *workspace, size_t workspace_bytes,
                                      cudaStream_t stream) {
  if (n > 0)
    kernel<<<1, 256, 0, stream>>>(n, x, s_result);
  return cudaGetLastError();
}
