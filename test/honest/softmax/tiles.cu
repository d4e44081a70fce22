// Tiles of eight threads a row, by cooperative groups.
// EXPECT: accepted
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

namespace {
namespace cg = cooperative_groups;
__global__ void kernel(int rows, int columns, const float *x, float *y) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int r = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank();
  if (r >= rows)
    return;
  x += static_cast<size_t>(r) * columns;
  y += static_cast<size_t>(r) * columns;
  float m = -INFINITY, s = 0;
  for (int c = tile.thread_rank(); c < columns; c += tile.size())
    m = x[c] > m ? x[c] : m;
  m = cg::reduce(tile, m, cg::greater<float>());
  for (int c = tile.thread_rank(); c < columns; c += tile.size())
    s += expf(x[c] - m);
  s = cg::reduce(tile, s, cg::plus<float>());
  for (int c = tile.thread_rank(); c < columns; c += tile.size())
    y[c] = expf(x[c] - m) / s;
}
} // namespace

extern "C" cudaError_t autokernel_softmax(int rows, int columns, const float *x,
                                          float *y, void *workspace,
                                          size_t workspace_bytes,
                                          cudaStream_t stream) {
  if (rows > 0)
    kernel<<<(rows + 15) / 16, 128, 0, stream>>>(rows, columns, x, y);
  return cudaGetLastError();
}
