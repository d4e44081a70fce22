// The addition of floats by compare-and-swap on their bits.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__device__ void add(float *at, float v) {
  unsigned *bits = reinterpret_cast<unsigned *>(at);
  unsigned seen = atomicAdd(bits, 0u), before;
  do {
    before = seen;
    seen =
        atomicCAS(bits, before, __float_as_uint(__uint_as_float(before) + v));
  } while (seen != before);
}
__global__ void kernel(int n, const int *index, const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    add(y + index[i], x[i]);
}
} // namespace

extern "C" cudaError_t autokernel_scatter(int n, int m, const int *index,
                                          const float *x, float *y,
                                          void *workspace,
                                          size_t workspace_bytes,
                                          cudaStream_t stream) {
  if (n > 0)
    kernel<<<(n + 255) / 256, 256, 0, stream>>>(n, index, x, y);
  return cudaGetLastError();
}
