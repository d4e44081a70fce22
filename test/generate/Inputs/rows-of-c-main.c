#include REWRITTEN
#include <string.h>

extern int use_references;

enum { N = 60 };

static void run(float *x, float *y, float *z, float *w) {
  float b[N];
  for (int i = 0; i < N; i++) {
    b[i] = i * 7 % 17;
    x[i] = y[i] = z[i] = w[i] = i * 5 % 13 + 1;
  }
  variable(6, 10, (float(*)[10])x, (const float(*)[10])b);
  cube(3, 4, 5, (float(*)[4][5])y, b);
  casted(5, 12, z, b);
  sums(10, (float(*)[6])w, b);
}

int main(void) {
  float x[2][N], y[2][N], z[2][N], w[2][N];
  run(x[0], y[0], z[0], w[0]);
  use_references = 1;
  run(x[1], y[1], z[1], w[1]);
  return memcmp(x[0], x[1], sizeof x[0]) || memcmp(y[0], y[1], sizeof y[0]) ||
         memcmp(z[0], z[1], sizeof z[0]) || memcmp(w[0], w[1], sizeof w[0]) ||
         x[0][3] != 8;
}
