// Partial maxima in the workspace; int4 loads where aligned.
// EXPECT: accepted
#include <climits>
#include <cuda_runtime.h>

namespace {
__device__ int warp_max(int m) {
  for (int d = 16; d > 0; d /= 2)
    m = max(m, __shfl_xor_sync(0xffffffffu, m, d));
  return m;
}
__global__ void partial(int n, const int *x, int *maxima) {
  int vectors = reinterpret_cast<size_t>(x) % 16 == 0 ? n / 4 : 0, m = INT_MIN;
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32,
      lane = threadIdx.x % 32;
  int warps = gridDim.x * blockDim.x / 32;
  for (int i = warp * 32 + lane; i < vectors; i += warps * 32) {
    int4 v = reinterpret_cast<const int4 *>(x)[i];
    m = max(max(max(m, v.x), max(v.y, v.z)), v.w);
  }
  for (int i = 4 * vectors + warp * 32 + lane; i < n; i += warps * 32)
    m = max(m, x[i]);
  m = warp_max(m);
  if (lane == 0)
    maxima[warp] = m;
}
__global__ void total(const int *maxima, int *result) {
  int m = warp_max(max(maxima[threadIdx.x], maxima[threadIdx.x + 32]));
  if (threadIdx.x == 0)
    *result = max(*result, m);
}
} // namespace

extern "C" size_t autokernel_largest_workspace(int n) {
  return 64 * sizeof(int);
}

extern "C" cudaError_t autokernel_largest(int n, const int *x, int *m_result,
                                          void *workspace,
                                          size_t workspace_bytes,
                                          cudaStream_t stream) {
  int *maxima = static_cast<int *>(workspace);
  if (n > 0) {
    partial<<<16, 128, 0, stream>>>(n, x, maxima);
    total<<<1, 32, 0, stream>>>(maxima, m_result);
  }
  return cudaGetLastError();
}
