// A tile with its border in shared memory.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
constexpr int T = 16;
__global__ void kernel(int nx, int ny, const float *in, float *out) {
  __shared__ float tile[T + 2][T + 2];
  int i0 = blockIdx.x * T, j0 = blockIdx.y * T;
  for (int q = threadIdx.y * T + threadIdx.x; q < (T + 2) * (T + 2);
       q += T * T) {
    int i = i0 + q % (T + 2), j = j0 + q / (T + 2);
    tile[q / (T + 2)][q % (T + 2)] = i < nx && j < ny ? in[j * nx + i] : 0.0f;
  }
  __syncthreads();
  int x = threadIdx.x + 1, y = threadIdx.y + 1;
  if (i0 + x < nx - 1 && j0 + y < ny - 1)
    out[(j0 + y) * nx + i0 + x] = 0.25f * (tile[y][x - 1] + tile[y][x + 1] +
                                           tile[y - 1][x] + tile[y + 1][x]);
}
} // namespace

extern "C" cudaError_t autokernel_jacobi(int nx, int ny, const float *in,
                                         float *out, void *workspace,
                                         size_t workspace_bytes,
                                         cudaStream_t stream) {
  if (nx > 2 && ny > 2)
    kernel<<<dim3((nx - 2 + T - 1) / T, (ny - 2 + T - 1) / T), dim3(T, T), 0,
             stream>>>(nx, ny, in, out);
  return cudaGetLastError();
}
