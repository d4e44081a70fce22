// Four elements a load where both arrays are aligned, one otherwise.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__device__ bool aligned(const void *p) {
  return reinterpret_cast<size_t>(p) % 16 == 0;
}
__global__ void kernel(int n, float a, const float *__restrict__ x,
                       float *__restrict__ y) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x,
      threads = gridDim.x * blockDim.x;
  int done = 0;
  if (aligned(x) && aligned(y)) {
    done = n / 4 * 4;
    for (int i = thread; i < n / 4; i += threads) {
      float4 u = reinterpret_cast<const float4 *>(x)[i],
             v = reinterpret_cast<float4 *>(y)[i];
      v.x += a * u.x;
      v.y += a * u.y;
      v.z += a * u.z;
      v.w += a * u.w;
      reinterpret_cast<float4 *>(y)[i] = v;
    }
  }
  for (int i = done + thread; i < n; i += threads)
    y[i] += a * x[i];
}
} // namespace

extern "C" cudaError_t autokernel_saxpy(int n, float a, const float *x,
                                        float *y, void *workspace,
                                        size_t workspace_bytes,
                                        cudaStream_t stream) {
  if (n > 0)
    kernel<<<(n + 1023) / 1024, 256, 0, stream>>>(n, a, x, y);
  return cudaGetLastError();
}
