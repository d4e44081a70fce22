// Declares fork itself.
// CLASS: harms the machine
// EXPECT: rejected rules "[extern-c]"
#include <cuda_runtime.h>
extern "C" int fork();
extern "C" cudaError_t autokernel_saxpy(int n, float a, const float *x,
                                        float *y, void *workspace,
                                        size_t workspace_bytes,
                                        cudaStream_t stream) {
  fork();
  return cudaSuccess;
}
