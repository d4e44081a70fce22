// Heat in a plate: Jacobi steps on a grid whose rim keeps its temperature.
//
//   jacobi2d [rows columns steps]
//
// Copying the grid for each step would cost more than the step, so both grids
// are kept on the device while the steps go on.
#include <autokernel/data.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

static void relax(int ny, int nx, const float *from, float *to) {
  [[autokernel]]
  for (int j = 1; j < ny - 1; ++j)
    for (int i = 1; i < nx - 1; ++i)
      to[j * nx + i] =
          0.25f * (from[(j - 1) * nx + i] + from[(j + 1) * nx + i] +
                   from[j * nx + i - 1] + from[j * nx + i + 1]);
}

static double difference(int n, const float *a, const float *b) {
  double sum = 0;
  [[autokernel]]
  for (int i = 0; i < n; ++i)
    sum += std::fabs(double(a[i]) - double(b[i]));
  return sum;
}

int main(int argc, char **argv) {
  const int ny = argc > 3 ? std::atoi(argv[1]) : 258;
  const int nx = argc > 3 ? std::atoi(argv[2]) : 130;
  const int steps = argc > 3 ? std::atoi(argv[3]) : 50000;
  std::vector<float> grid(ny * nx, 0), next;
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      if (i == 0 || j == 0 || i == nx - 1 || j == ny - 1)
        grid[j * nx + i] = float(i) / (nx - 1); // 0 to the left, 1 to the right
  next = grid;
  double moved = 0;
  {
    autokernel::kept<float> keepGrid(grid.data(), grid.size());
    autokernel::kept<float> keepNext(next.data(), next.size());
    for (int s = 0; s < steps; ++s) {
      relax(ny, nx, grid.data(), next.data());
      std::swap(grid, next);
    }
    moved = difference(ny * nx, grid.data(), next.data());
  }

  // The temperature grows evenly from left to right.
  double worst = 0;
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i)
      worst =
          std::fmax(worst, std::fabs(grid[j * nx + i] - double(i) / (nx - 1)));
  bool good = worst < 1e-2 && moved < 1;
  std::printf(
      "jacobi2d: %d steps, worst error %.1e, last step moved %.1e: %s\n", steps,
      worst, moved, good ? "good" : "WRONG");
  return !good;
}
