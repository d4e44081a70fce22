// matmul
void matmul(int m, int n, int k, const float *a, const float *b, float *c) {
  [[autokernel]] for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float s = 0;
      for (int p = 0; p < k; ++p)
        s += a[i * k + p] * b[p * n + j];
      c[i * n + j] = s;
    }
}
