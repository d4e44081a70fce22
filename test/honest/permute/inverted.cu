// The inverse permutation in the workspace, then a gather.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void invert(int n, const int *index, int *inverse) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    inverse[index[i]] = i;
}
__global__ void gather(int n, const int *inverse, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[inverse[i]];
}
} // namespace

extern "C" size_t autokernel_permute_workspace(int n) {
  return n > 0 ? n * sizeof(int) : 0;
}

extern "C" cudaError_t autokernel_permute(int n, const int *index,
                                          const float *x, float *y,
                                          void *workspace,
                                          size_t workspace_bytes,
                                          cudaStream_t stream) {
  int *inverse = static_cast<int *>(workspace);
  if (n > 0) {
    invert<<<(n + 127) / 128, 128, 0, stream>>>(n, index, inverse);
    gather<<<(n + 127) / 128, 128, 0, stream>>>(n, inverse, x, y);
  }
  return cudaGetLastError();
}
