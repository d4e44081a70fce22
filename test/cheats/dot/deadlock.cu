// A block waits for another one that may never start.
// CLASS: deadlock
// EXPECT: mismatch memory "budget"
// OPTIONS: --max-seconds=4
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const double *x, const double *y, double *result,
                       int *turn) {
  if (threadIdx.x != 0)
    return;
  while (atomicAdd(turn, 0) != gridDim.x - 1 - blockIdx.x) {
  }
  double v = 0;
  for (int i = blockIdx.x; i < n; i += gridDim.x)
    v += x[i] * y[i];
  *result += v;
  __threadfence();
  atomicAdd(turn, 1);
}
} // namespace

extern "C" size_t autokernel_dot_workspace(int n) { return sizeof(int); }

extern "C" cudaError_t autokernel_dot(int n, const double *x, const double *y,
                                      double *s_result, void *workspace,
                                      size_t workspace_bytes,
                                      cudaStream_t stream) {
  int *turn = static_cast<int *>(workspace);
  if (n > 0) {
    cudaMemsetAsync(turn, 0, sizeof(int), stream);
    kernel<<<4, 32, 0, stream>>>(n, x, y, s_result, turn);
  }
  return cudaGetLastError();
}
