// Finds the maximum bit by bit from votes over the warp.
// EXPECT: accepted
#include <climits>
#include <cuda_runtime.h>

namespace {
__device__ int warp_max(int value) {
  unsigned key = static_cast<unsigned>(value) ^ 0x80000000u, found = 0;
  bool alive = true;
  for (int bit = 31; bit >= 0; --bit) {
    bool set = alive && (key >> bit & 1u);
    if (__any_sync(0xffffffffu, set)) {
      found |= 1u << bit;
      alive = set;
    }
  }
  return static_cast<int>(found ^ 0x80000000u);
}
__global__ void kernel(int n, const int *x, int *result) {
  int m = INT_MIN;
  for (int i = threadIdx.x; i < n; i += 32)
    m = max(m, x[i]);
  m = warp_max(m);
  if (threadIdx.x == 0 && m > *result)
    *result = m;
}
} // namespace

extern "C" cudaError_t autokernel_largest(int n, const int *x, int *m_result,
                                          void *workspace,
                                          size_t workspace_bytes,
                                          cudaStream_t stream) {
  if (n > 0)
    kernel<<<1, 32, 0, stream>>>(n, x, m_result);
  return cudaGetLastError();
}
