// Forgets the last bin.
// CLASS: elements skipped
// EXPECT: mismatch compare "bins[255]"
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const unsigned char *data, int *bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && data[i] < 255)
    atomicAdd(&bins[data[i]], 1);
}
} // namespace

extern "C" cudaError_t autokernel_histogram(int n, const unsigned char *data,
                                            int *bins, void *workspace,
                                            size_t workspace_bytes,
                                            cudaStream_t stream) {
  if (n > 0)
    kernel<<<(n + 255) / 256, 256, 0, stream>>>(n, data, bins);
  return cudaGetLastError();
}
