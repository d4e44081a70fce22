// Counts by atomics in a workspace that the launcher clears.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void count(int n, const unsigned char *data, unsigned *counts) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicInc(&counts[data[i]], 0xffffffffu);
}
__global__ void add(const unsigned *counts, int *bins) {
  bins[threadIdx.x] += static_cast<int>(counts[threadIdx.x]);
}
} // namespace

extern "C" size_t autokernel_histogram_workspace(int n) {
  return 256 * sizeof(unsigned);
}

extern "C" cudaError_t autokernel_histogram(int n, const unsigned char *data,
                                            int *bins, void *workspace,
                                            size_t workspace_bytes,
                                            cudaStream_t stream) {
  unsigned *counts = static_cast<unsigned *>(workspace);
  if (n > 0) {
    cudaMemsetAsync(counts, 0, 256 * sizeof(unsigned), stream);
    count<<<(n + 255) / 256, 256, 0, stream>>>(n, data, counts);
    add<<<1, 256, 0, stream>>>(counts, bins);
  }
  return cudaGetLastError();
}
