// scatter
void scatter(int n, int m, const int *index, const float *x, float *y) {
  [[autokernel("scatter", y[m])]] for (int i = 0; i < n; ++i)
    y[index[i]] += x[i];
}
