// reduction
int largest(int n, const int *x) {
  int m = -2147483647 - 1;
  [[autokernel]] for (int i = 0; i < n; ++i)
    m = x[i] > m ? x[i] : m;
  return m;
}
