void rows(int rows, int cols, const float *x, float *y) {
  [[autokernel]]
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < cols; ++c)
      y[r * cols + c] = -x[r * cols + c];
  }
}
void either(int n, const float *x, bool *y) {
  [[autokernel]] for (int i = 0; i < n; ++i) // ```
    y[i] = x[i] < 0 && x[i] > -1; // <b>|</b>
}

void running(int n, float *x) {
  [[autokernel]] for (int i = 1; i < n; ++i) x[i] = 0.5f * x[i - 1];
}
