// Lanes with the same value elect one that adds for all of them.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const unsigned char *data, int *bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? data[i] : 256;
  unsigned same = __match_any_sync(0xffffffffu, value);
  int leader = __ffs(same) - 1;
  if (value < 256 && threadIdx.x % 32 == leader)
    atomicAdd(&bins[value], __popc(same));
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
