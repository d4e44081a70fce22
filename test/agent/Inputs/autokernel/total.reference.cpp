// Reference of region total: total.cpp, function total.
// The loop as written, macros expanded. It is what kernels are verified against.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <math.h>

extern "C" void autokernel_reference(const float *x, int n, float *autokernel_out_sum) {
  float sum = *autokernel_out_sum;
  for (int i = 0; i < n; ++i)
    sum += x[i];
  *autokernel_out_sum = sum;
}
