// One block, doubles by shuffles.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const double *x, const double *y,
                       double *result) {
  __shared__ double of_warp[16];
  double v = 0;
  for (int i = threadIdx.x; i < n; i += 512)
    v = fma(x[i], y[i], v);
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0)
    of_warp[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < 16; ++w)
      v += of_warp[w];
    *result += v;
  }
}
} // namespace

extern "C" cudaError_t autokernel_dot(int n, const double *x, const double *y,
                                      double *s_result, void *workspace,
                                      size_t workspace_bytes,
                                      cudaStream_t stream) {
  if (n > 0)
    kernel<<<1, 512, 0, stream>>>(n, x, y, s_result);
  return cudaGetLastError();
}
