// histogram
void histogram(int n, const unsigned char *data, int *bins) {
  [[autokernel("histogram", bins[256])]] for (int i = 0; i < n; ++i)
    bins[data[i]] += 1;
}
