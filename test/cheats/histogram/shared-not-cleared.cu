// Counts on top of what shared memory holds.
// CLASS: uninitialised shared memory
// EXPECT: mismatch memory "uninitialised-read"
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const unsigned char *data, int *bins) {
  __shared__ int own[256];
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
    atomicAdd(&own[data[i]], 1);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
} // namespace

extern "C" cudaError_t autokernel_histogram(int n, const unsigned char *data,
                                            int *bins, void *workspace,
                                            size_t workspace_bytes,
                                            cudaStream_t stream) {
  if (n > 0)
    kernel<<<8, 256, 0, stream>>>(n, data, bins);
  return cudaGetLastError();
}
