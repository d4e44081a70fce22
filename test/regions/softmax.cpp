// row softmax
#include <cmath>
void softmax(int rows, int columns, const float *x, float *y) {
  [[autokernel]] for (int r = 0; r < rows; ++r) {
    float m = -INFINITY;
    for (int c = 0; c < columns; ++c)
      m = x[r * columns + c] > m ? x[r * columns + c] : m;
    float s = 0;
    for (int c = 0; c < columns; ++c) {
      y[r * columns + c] = expf(x[r * columns + c] - m);
      s += y[r * columns + c];
    }
    for (int c = 0; c < columns; ++c)
      y[r * columns + c] /= s;
  }
}
