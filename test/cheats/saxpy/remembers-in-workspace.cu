// Hopes to find the results of the last call in the workspace.
// CLASS: reuse between calls
// EXPECT: mismatch memory "uninitialised-read"
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, float a, const float *x, float *y,
                       float *memory) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (memory[i] != 0.0f) {
    y[i] = memory[i];
  } else {
    y[i] = a * x[i] + y[i];
    memory[i] = y[i];
  }
}
} // namespace

extern "C" size_t autokernel_saxpy_workspace(int n, float a) {
  return n > 0 ? n * sizeof(float) : 0;
}

extern "C" cudaError_t autokernel_saxpy(int n, float a, const float *x,
                                        float *y, void *workspace,
                                        size_t workspace_bytes,
                                        cudaStream_t stream) {
  if (n > 0)
    kernel<<<(n + 255) / 256, 256, 0, stream>>>(
        n, a, x, y, static_cast<float *>(workspace));
  return cudaGetLastError();
}
