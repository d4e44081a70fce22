// stencil
void jacobi(int nx, int ny, const float *in, float *out) {
  [[autokernel("jacobi", in[nx * ny], out[nx * ny])]]
  for (int j = 1; j < ny - 1; ++j)
    for (int i = 1; i < nx - 1; ++i)
      out[j * nx + i] = 0.25f * (in[j * nx + i - 1] + in[j * nx + i + 1] +
                                 in[(j - 1) * nx + i] + in[(j + 1) * nx + i]);
}
