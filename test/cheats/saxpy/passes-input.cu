// Copies the input to the output.
// CLASS: output without computing
// EXPECT: mismatch compare "y[0]"
#include <cuda_runtime.h>

namespace {} // namespace

extern "C" cudaError_t autokernel_saxpy(int n, float a, const float *x,
                                        float *y, void *workspace,
                                        size_t workspace_bytes,
                                        cudaStream_t stream) {
  if (n > 0)
    cudaMemcpyAsync(y, x, n * sizeof(float), cudaMemcpyDeviceToDevice, stream);
  return cudaGetLastError();
}
