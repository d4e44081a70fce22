// A tile of sixteen threads scans by cooperative groups.
// EXPECT: accepted
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>

namespace {
namespace cg = cooperative_groups;
__global__ void kernel(int rows, int columns, const float *x, float *y) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int r = blockIdx.x * tile.meta_group_size() + tile.meta_group_rank();
  if (r >= rows)
    return;
  float carry = 0;
  for (int c0 = 0; c0 < columns; c0 += 16) {
    int c = c0 + tile.thread_rank();
    float v = c < columns ? x[r * columns + c] : 0.0f;
    v = cg::inclusive_scan(tile, v, cg::plus<float>()) + carry;
    if (c < columns)
      y[r * columns + c] = v;
    carry = tile.shfl(v, 15);
  }
}
} // namespace

extern "C" cudaError_t autokernel_scan(int rows, int columns, const float *x,
                                       float *y, void *workspace,
                                       size_t workspace_bytes,
                                       cudaStream_t stream) {
  if (rows > 0)
    kernel<<<(rows + 7) / 8, 128, 0, stream>>>(rows, columns, x, y);
  return cudaGetLastError();
}
