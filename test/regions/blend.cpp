// map of bytes
void blend(int n, const unsigned char *x, const unsigned char *y,
           unsigned char *z) {
  [[autokernel]] for (int i = 0; i < n; ++i)
    z[i] = (x[i] + y[i]) / 2;
}
