// Neighbours outside of the tile count as zero.
// CLASS: other work
// EXPECT: mismatch compare "out["
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int nx, int ny, const float *in, float *out) {
  __shared__ float tile[18][18];
  int x = threadIdx.x + 1, y = threadIdx.y + 1, i = blockIdx.x * 16 + x,
      j = blockIdx.y * 16 + y;
  for (int q = threadIdx.y * 16 + threadIdx.x; q < 18 * 18; q += 256)
    (&tile[0][0])[q] = 0;
  __syncthreads();
  if (i < nx && j < ny)
    tile[y][x] = in[j * nx + i];
  __syncthreads();
  if (i < nx - 1 && j < ny - 1)
    out[j * nx + i] = 0.25f * (tile[y][x - 1] + tile[y][x + 1] +
                               tile[y - 1][x] + tile[y + 1][x]);
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
