// A general transform with the operation as a template argument.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
struct Axpy {
  float a;
  __device__ float operator()(float x, float y) const { return a * x + y; }
};
template <int Threads, class Op>
__global__ void __launch_bounds__(Threads)
    transform(int n, const float *x, float *y, Op op) {
  int i = blockIdx.x * Threads + threadIdx.x;
  if (i < n)
    y[i] = op(x[i], y[i]);
}
} // namespace

extern "C" cudaError_t autokernel_saxpy(int n, float a, const float *x,
                                        float *y, void *workspace,
                                        size_t workspace_bytes,
                                        cudaStream_t stream) {
  if (n > 0)
    transform<512><<<(n + 511) / 512, 512, 0, stream>>>(n, x, y, Axpy{a});
  return cudaGetLastError();
}
