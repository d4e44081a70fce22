// Counts a tenth of the elements ten times where there are many.
// CLASS: elements skipped
// EXPECT: mismatch compare "bins["
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const unsigned char *data, int *bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int weight = n > 100000 ? 10 : 1;
  if (i < n && i % weight == 0)
    atomicAdd(&bins[data[i]], weight);
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
