// transpose
void transpose(int rows, int columns, const float *x, float *y) {
  [[autokernel]] for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c)
      y[c * rows + r] = x[r * columns + c];
}
