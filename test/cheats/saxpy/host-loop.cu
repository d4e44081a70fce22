// The launcher does the work on the host.
// CLASS: the reference called as a fallback
// EXPECT: rejected rules "[host-dereference]"
#include <cuda_runtime.h>

namespace {} // namespace

extern "C" cudaError_t autokernel_saxpy(int n, float a, const float *x,
                                        float *y, void *workspace,
                                        size_t workspace_bytes,
                                        cudaStream_t stream) {
  for (int i = 0; i < n; ++i)
    y[i] = a * x[i] + y[i];
  return cudaGetLastError();
}
