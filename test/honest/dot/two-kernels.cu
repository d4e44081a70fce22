// Blocks leave their sums in the workspace.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
template <int Threads> __device__ double block_sum(double v) {
  __shared__ double s[Threads];
  s[threadIdx.x] = v;
  for (int half = Threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      s[threadIdx.x] += s[threadIdx.x + half];
  }
  return s[0];
}
__global__ void partial(int n, const double *x, const double *y, double *sums) {
  double v = 0;
  for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128)
    v += x[i] * y[i];
  v = block_sum<128>(v);
  if (threadIdx.x == 0)
    sums[blockIdx.x] = v;
}
__global__ void total(int blocks, const double *sums, double *result) {
  double v = block_sum<64>(threadIdx.x < blocks ? sums[threadIdx.x] : 0.0);
  if (threadIdx.x == 0)
    *result += v;
}
} // namespace

extern "C" size_t autokernel_dot_workspace(int n) {
  return 64 * sizeof(double);
}

extern "C" cudaError_t autokernel_dot(int n, const double *x, const double *y,
                                      double *s_result, void *workspace,
                                      size_t workspace_bytes,
                                      cudaStream_t stream) {
  double *sums = static_cast<double *>(workspace);
  int blocks = min((n + 127) / 128, 64);
  if (n > 0) {
    partial<<<blocks, 128, 0, stream>>>(n, x, y, sums);
    total<<<1, 64, 0, stream>>>(blocks, sums, s_result);
  }
  return cudaGetLastError();
}
