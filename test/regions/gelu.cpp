// map
#include <cmath>
void gelu(int n, const float *x, float *y) {
  [[autokernel]] for (int i = 0; i < n; ++i) {
    float v = x[i];
    y[i] = 0.5f * v * (1.0f + tanhf(0.79788456f * (v + 0.044715f * v * v * v)));
  }
}
