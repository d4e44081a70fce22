// The last steps rely on lanes running in step, as they did before Volta.
// CLASS: missing barrier
// EXPECT: mismatch race "race"
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const float *x, float *result) {
  __shared__ float s[64];
  float v = 0;
  for (int i = threadIdx.x; i < n; i += 64)
    v += x[i];
  s[threadIdx.x] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    volatile float *w = s;
    for (int d = 32; d > 0; d /= 2)
      w[threadIdx.x] =
          w[threadIdx.x] + (threadIdx.x + d < 64 ? w[threadIdx.x + d] : 0.0f);
  }
  if (threadIdx.x == 0)
    *result += s[0];
}
} // namespace

extern "C" cudaError_t autokernel_sum(int n, const float *x, float *s_result,
                                      void *workspace, size_t workspace_bytes,
                                      cudaStream_t stream) {
  if (n > 0)
    kernel<<<1, 64, 0, stream>>>(n, x, s_result);
  return cudaGetLastError();
}
