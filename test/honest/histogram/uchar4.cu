// Four elements a load where aligned.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const unsigned char *data, int *bins) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  int thread = blockIdx.x * 256 + threadIdx.x, threads = gridDim.x * 256;
  int vectors = reinterpret_cast<size_t>(data) % 4 == 0 ? n / 4 : 0;
  for (int i = thread; i < vectors; i += threads) {
    uchar4 v = reinterpret_cast<const uchar4 *>(data)[i];
    atomicAdd(&own[v.x], 1u);
    atomicAdd(&own[v.y], 1u);
    atomicAdd(&own[v.z], 1u);
    atomicAdd(&own[v.w], 1u);
  }
  for (int i = 4 * vectors + thread; i < n; i += threads)
    atomicAdd(&own[data[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], static_cast<int>(own[threadIdx.x]));
}
} // namespace

extern "C" cudaError_t autokernel_histogram(int n, const unsigned char *data,
                                            int *bins, void *workspace,
                                            size_t workspace_bytes,
                                            cudaStream_t stream) {
  if (n > 0)
    kernel<<<8, 256, 0, stream>>>(n, data, bins);
  return cudaGetLastError();
}
