// Lets the host do the work after the timer stopped.
// CLASS: timer
// EXPECT: rejected rules "cudaLaunchHostFunc"
#include <cuda_runtime.h>

namespace {
__host__ void later(void *) {}
} // namespace

extern "C" cudaError_t autokernel_saxpy(int n, float a, const float *x,
                                        float *y, void *workspace,
                                        size_t workspace_bytes,
                                        cudaStream_t stream) {
  cudaLaunchHostFunc(stream, later, y);
  return cudaGetLastError();
}
