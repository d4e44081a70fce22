// Kahan's sum: what each addition loses is carried along.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__device__ void add(float &sum, float &lost, float v) {
  float y = v - lost, t = sum + y;
  lost = (t - sum) - y;
  sum = t;
}
__global__ void kernel(int n, const float *x, float *result) {
  __shared__ float sums[64];
  float sum = 0, lost = 0;
  for (int i = threadIdx.x; i < n; i += 64)
    add(sum, lost, x[i]);
  sums[threadIdx.x] = isfinite(sum - lost) ? sum - lost : sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    sum = *result;
    for (int t = 0; t < 64; ++t)
      sum += sums[t];
    *result = sum;
  }
}
} // namespace

extern "C" cudaError_t autokernel_sum(int n, const float *x, float *s_result,
                                      void *workspace, size_t workspace_bytes,
                                      cudaStream_t stream) {
  if (n > 0)
    kernel<<<1, 64, 0, stream>>>(n, x, s_result);
  return cudaGetLastError();
}
