// Threads march down a column with three rows in registers.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int nx, int ny, const float *__restrict__ in,
                       float *__restrict__ out) {
  int i = 1 + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= nx - 1)
    return;
  float above = in[i], here = in[nx + i];
  for (int j = 1; j < ny - 1; ++j) {
    float below = in[(j + 1) * nx + i];
    out[j * nx + i] =
        0.25f * (in[j * nx + i - 1] + in[j * nx + i + 1] + above + below);
    above = here;
    here = below;
  }
}
} // namespace

extern "C" cudaError_t autokernel_jacobi(int nx, int ny, const float *in,
                                         float *out, void *workspace,
                                         size_t workspace_bytes,
                                         cudaStream_t stream) {
  if (nx > 2 && ny > 2)
    kernel<<<(nx - 2 + 63) / 64, 64, 0, stream>>>(nx, ny, in, out);
  return cudaGetLastError();
}
