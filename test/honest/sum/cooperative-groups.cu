// Tiles of a warp reduce by cooperative groups.
// EXPECT: accepted
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

namespace {
namespace cg = cooperative_groups;
__global__ void kernel(int n, const float *x, float *result) {
  __shared__ float of_tile[32];
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<32>(block);
  float v = 0;
  for (int i = block.thread_rank(); i < n; i += block.size())
    v += x[i];
  v = cg::reduce(tile, v, cg::plus<float>());
  if (tile.thread_rank() == 0)
    of_tile[tile.meta_group_rank()] = v;
  block.sync();
  if (tile.meta_group_rank() == 0) {
    v = tile.thread_rank() < tile.meta_group_size()
            ? of_tile[tile.thread_rank()]
            : 0.0f;
    v = cg::reduce(tile, v, cg::plus<float>());
    if (tile.thread_rank() == 0)
      *result += v;
  }
}
} // namespace

extern "C" cudaError_t autokernel_sum(int n, const float *x, float *s_result,
                                      void *workspace, size_t workspace_bytes,
                                      cudaStream_t stream) {
  if (n > 0)
    kernel<<<1, 1024, 0, stream>>>(n, x, s_result);
  return cudaGetLastError();
}
