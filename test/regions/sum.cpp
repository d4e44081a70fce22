// reduction
float sum(int n, const float *x) {
  float s = 0;
  [[autokernel]] for (int i = 0; i < n; ++i)
    s += x[i];
  return s;
}
