// Pairs of doubles where both arrays are aligned.
// EXPECT: accepted
#include <cuda_runtime.h>

namespace {
__global__ void kernel(int n, const double *x, const double *y,
                       double *result) {
  bool aligned =
      (reinterpret_cast<size_t>(x) | reinterpret_cast<size_t>(y)) % 16 == 0;
  int pairs = aligned ? n / 2 : 0;
  double even = 0, odd = 0;
  for (int i = threadIdx.x; i < pairs; i += 32) {
    double2 u = reinterpret_cast<const double2 *>(x)[i],
            v = reinterpret_cast<const double2 *>(y)[i];
    even += u.x * v.x;
    odd += u.y * v.y;
  }
  for (int i = 2 * pairs + threadIdx.x; i < n; i += 32)
    even += x[i] * y[i];
  double s = even + odd;
  for (int d = 16; d > 0; d /= 2)
    s += __shfl_xor_sync(0xffffffffu, s, d);
  if (threadIdx.x == 0)
    *result += s;
}
} // namespace

extern "C" cudaError_t autokernel_dot(int n, const double *x, const double *y,
                                      double *s_result, void *workspace,
                                      size_t workspace_bytes,
                                      cudaStream_t stream) {
  if (n > 0)
    kernel<<<1, 32, 0, stream>>>(n, x, y, s_result);
  return cudaGetLastError();
}
