// gather
void gather(int n, int m, const int *index, const double *x, double *y) {
  [[autokernel("gather", x[m])]] for (int i = 0; i < n; ++i) y[i] = x[index[i]];
}
