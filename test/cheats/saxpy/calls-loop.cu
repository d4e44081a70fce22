// Calls the program's own loop.
// CLASS: the reference called as a fallback
// EXPECT: rejected rules "[scope]"
#include <cuda_runtime.h>
void saxpy(int n, float a, const float *x, float *y);
extern "C" cudaError_t autokernel_saxpy(int n, float a, const float *x,
                                        float *y, void *workspace,
                                        size_t workspace_bytes,
                                        cudaStream_t stream) {
  saxpy(n, a, x, y);
  return cudaSuccess;
}
