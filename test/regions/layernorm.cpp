// row normalisation
#include <cmath>
void layernorm(int rows, int columns, const float *x, const float *w,
               float *y) {
  [[autokernel]] for (int r = 0; r < rows; ++r) {
    float mean = 0;
    for (int c = 0; c < columns; ++c)
      mean += x[r * columns + c];
    mean /= columns;
    float v = 0;
    for (int c = 0; c < columns; ++c)
      v += (x[r * columns + c] - mean) * (x[r * columns + c] - mean);
    float scale = 1.0f / sqrtf(v / columns + 1e-5f);
    for (int c = 0; c < columns; ++c)
      y[r * columns + c] = (x[r * columns + c] - mean) * scale * w[c];
  }
}
