// scan of rows
void scan(int rows, int columns, const float *x, float *y) {
  [[autokernel]] for (int r = 0; r < rows; ++r) {
    float s = 0;
    for (int c = 0; c < columns; ++c) {
      s += x[r * columns + c];
      y[r * columns + c] = s;
    }
  }
}
