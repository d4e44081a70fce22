// Neighbours are read from shared memory before they are there.
// CLASS: missing barrier
// EXPECT: mismatch
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int nx, int ny, const float *in, float *out) {
  __shared__ float row[66];
  int i = blockIdx.x * 64 + threadIdx.x + 1, j = blockIdx.y + 1;
  if (i < nx)
    row[threadIdx.x + 1] = in[j * nx + i];
  if (threadIdx.x == 0)
    row[0] = in[j * nx + i - 1];
  if (threadIdx.x == 63 && i + 1 < nx)
    row[65] = in[j * nx + i + 1];
  if (i < nx - 1)
    out[j * nx + i] = 0.25f * (row[threadIdx.x] + row[threadIdx.x + 2] +
                               in[(j - 1) * nx + i] + in[(j + 1) * nx + i]);
}
} // namespace

extern "C" cudaError_t autokernel_jacobi(int nx, int ny, const float *in,
                                         float *out, void *workspace,
                                         size_t workspace_bytes,
                                         cudaStream_t stream) {
  if (nx > 2 && ny > 2)
    kernel<<<dim3((nx + 61) / 64, ny - 2), 64, 0, stream>>>(nx, ny, in, out);
  return cudaGetLastError();
}
