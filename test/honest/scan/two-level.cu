// Sums of chunks in the workspace, then every chunk on its own.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
constexpr int Chunk = 32;
__global__ void sums(int columns, int chunks, const float *x, float *of_chunk) {
  int k = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
  if (k >= chunks)
    return;
  float s = 0;
  for (int c = k * Chunk; c < min(columns, (k + 1) * Chunk); ++c)
    s += x[r * columns + c];
  of_chunk[static_cast<size_t>(r) * chunks + k] = s;
}
__global__ void scan(int columns, int chunks, const float *x,
                     const float *of_chunk, float *y) {
  int k = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
  if (k >= chunks)
    return;
  float s = 0;
  for (int before = 0; before < k; ++before)
    s += of_chunk[static_cast<size_t>(r) * chunks + before];
  for (int c = k * Chunk; c < min(columns, (k + 1) * Chunk); ++c)
    y[r * columns + c] = s += x[r * columns + c];
}
} // namespace

extern "C" size_t autokernel_scan_workspace(int rows, int columns) {
  return rows > 0 && columns > 0
             ? sizeof(float) * rows * ((columns + Chunk - 1) / Chunk)
             : 0;
}

extern "C" cudaError_t autokernel_scan(int rows, int columns, const float *x,
                                       float *y, void *workspace,
                                       size_t workspace_bytes,
                                       cudaStream_t stream) {
  float *of_chunk = static_cast<float *>(workspace);
  int chunks = (columns + Chunk - 1) / Chunk;
  for (int r = 0; columns > 0 && r < rows; r += 65535) {
    int some = min(rows - r, 65535);
    dim3 grid((chunks + 31) / 32, some);
    size_t skip = static_cast<size_t>(r) * columns;
    sums<<<grid, 32, 0, stream>>>(columns, chunks, x + skip, of_chunk);
    scan<<<grid, 32, 0, stream>>>(columns, chunks, x + skip, of_chunk,
                                  y + skip);
  }
  return cudaGetLastError();
}
