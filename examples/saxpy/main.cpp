// y = a * x + y, the smallest example.
#include <cstdio>
#include <vector>

static void saxpy(int n, float a, const float *x, float *y) {
  [[autokernel]]
  for (int i = 0; i < n; ++i)
    y[i] = a * x[i] + y[i];
}

int main() {
  const int n = 1 << 22;
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    x[i] = float(i % 1000);
    y[i] = 1;
  }

  saxpy(n, 0.5f, x.data(), y.data());

  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += y[i] != 0.5f * float(i % 1000) + 1;
  std::printf("saxpy: %d elements, %d wrong\n", n, wrong);
  return wrong != 0;
}
