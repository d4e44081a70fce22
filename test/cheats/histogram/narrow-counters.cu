// Counters of eight bits, packed four in a word, overflow into each other.
// CLASS: one precision lower
// EXPECT: mismatch compare "bins["
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const unsigned char *data, int *bins) {
  __shared__ unsigned own[64];
  if (threadIdx.x < 64)
    own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += 256)
    atomicAdd(&own[data[i] / 4], 1u << 8 * (data[i] % 4));
  __syncthreads();
  bins[threadIdx.x] += own[threadIdx.x / 4] >> 8 * (threadIdx.x % 4) & 255u;
}
} // namespace

extern "C" cudaError_t autokernel_histogram(int n, const unsigned char *data,
                                            int *bins, void *workspace,
                                            size_t workspace_bytes,
                                            cudaStream_t stream) {
  if (n > 0)
    kernel<<<1, 256, 0, stream>>>(n, data, bins);
  return cudaGetLastError();
}
