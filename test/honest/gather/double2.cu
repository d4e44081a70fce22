// Pairs of results in one store where aligned.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const int *index, const double *x, double *y) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 1 < n && reinterpret_cast<size_t>(y) % 16 == 0)
    *reinterpret_cast<double2 *>(y + i) =
        make_double2(x[index[i]], x[index[i + 1]]);
  else
    for (int k = i; k < i + 2 && k < n; ++k)
      y[k] = x[index[k]];
}
} // namespace

extern "C" cudaError_t autokernel_gather(int n, int m, const int *index,
                                         const double *x, double *y,
                                         void *workspace,
                                         size_t workspace_bytes,
                                         cudaStream_t stream) {
  if (n > 0)
    kernel<<<(n + 511) / 512, 256, 0, stream>>>(n, index, x, y);
  return cudaGetLastError();
}
