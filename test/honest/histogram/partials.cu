// Blocks write their histograms into the workspace; a second launch adds them.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
constexpr int Blocks = 8;
__global__ void partial(int n, const unsigned char *data, int *parts) {
  __shared__ int own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += Blocks * 256)
    atomicAdd(own + data[i], 1);
  __syncthreads();
  parts[blockIdx.x * 256 + threadIdx.x] = own[threadIdx.x];
}
__global__ void total(const int *parts, int *bins) {
  int count = 0;
  for (int b = 0; b < Blocks; ++b)
    count += parts[b * 256 + threadIdx.x];
  bins[threadIdx.x] += count;
}
} // namespace

extern "C" size_t autokernel_histogram_workspace(int n) {
  return Blocks * 256 * sizeof(int);
}

extern "C" cudaError_t autokernel_histogram(int n, const unsigned char *data,
                                            int *bins, void *workspace,
                                            size_t workspace_bytes,
                                            cudaStream_t stream) {
  int *parts = static_cast<int *>(workspace);
  if (n > 0) {
    partial<<<Blocks, 256, 0, stream>>>(n, data, parts);
    total<<<1, 256, 0, stream>>>(parts, bins);
  }
  return cudaGetLastError();
}
