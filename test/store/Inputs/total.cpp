double total(long n, const float *x) {
  double s = 0;
  [[autokernel]] for (long i = 0; i < n; ++i) s += x[i];
  return s;
}

void shift(int n, const float *x, float *y) {
  [[autokernel]] for (int i = 0; i < n; ++i) y[i] = x[i] + 1;
}
