// scatter
void permute(int n, const int *index, const float *x, float *y) {
  [[autokernel("permute", y[n]), autokernel_independent]]
  for (int i = 0; i < n; ++i)
    y[index[i]] = x[i];
}
