// Vector loads where aligned, in one block.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const float *x, float *result) {
  __shared__ float s[512];
  bool aligned = reinterpret_cast<size_t>(x) % 16 == 0;
  int vectors = aligned ? n / 4 : 0;
  float v = 0;
  for (int i = threadIdx.x; i < vectors; i += 512) {
    float4 u = reinterpret_cast<const float4 *>(x)[i];
    v += (u.x + u.y) + (u.z + u.w);
  }
  for (int i = 4 * vectors + threadIdx.x; i < n; i += 512)
    v += x[i];
  s[threadIdx.x] = v;
  __syncthreads();
  for (int half = 256; half > 0; half /= 2) {
    if (threadIdx.x < half)
      s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    *result += s[0];
}
} // namespace

extern "C" cudaError_t autokernel_sum(int n, const float *x, float *s_result,
                                      void *workspace, size_t workspace_bytes,
                                      cudaStream_t stream) {
  if (n > 0)
    kernel<<<1, 512, 0, stream>>>(n, x, s_result);
  return cudaGetLastError();
}
