// One thread a point.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int nx, int ny, const float *in, float *out) {
  int i = 1 + blockIdx.x * blockDim.x + threadIdx.x,
      j = 1 + blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nx - 1 && j < ny - 1)
    out[j * nx + i] = 0.25f * (in[j * nx + i - 1] + in[j * nx + i + 1] +
                               in[(j - 1) * nx + i] + in[(j + 1) * nx + i]);
}
} // namespace

extern "C" cudaError_t autokernel_jacobi(int nx, int ny, const float *in,
                                         float *out, void *workspace,
                                         size_t workspace_bytes,
                                         cudaStream_t stream) {
  if (nx > 2 && ny > 2)
    kernel<<<dim3((nx - 2 + 31) / 32, (ny - 2 + 7) / 8), dim3(32, 8), 0,
             stream>>>(nx, ny, in, out);
  return cudaGetLastError();
}
