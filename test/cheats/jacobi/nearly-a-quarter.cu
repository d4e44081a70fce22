// 0.2499999 for a quarter.
// CLASS: constant off
// EXPECT: mismatch exact ""
// PENDING: exact
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int nx, int ny, const float *in, float *out) {
  int i = 1 + blockIdx.x * blockDim.x + threadIdx.x,
      j = 1 + blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nx - 1 && j < ny - 1)
    out[j * nx + i] =
        0.2499999f * (in[j * nx + i - 1] + in[j * nx + i + 1] +
                      in[(j - 1) * nx + i] + in[(j + 1) * nx + i]);
}
} // namespace

extern "C" cudaError_t autokernel_jacobi(int nx, int ny, const float *in,
                                         float *out, void *workspace,
                                         size_t workspace_bytes,
                                         cudaStream_t stream) {
  if (nx > 2 && ny > 2)
    kernel<<<dim3((nx + 13) / 16, (ny + 13) / 16), dim3(16, 16), 0, stream>>>(
        nx, ny, in, out);
  return cudaGetLastError();
}
