#include REWRITTEN
#include <string.h>

extern int use_references, calls;

static int run(float *out, int *y, Point *p) {
  float w[12], b[3], in[4];
  for (int i = 0; i < 12; i++)
    w[i] = i % 5 + 1;
  for (int i = 0; i < 4; i++) {
    in[i] = i + 2;
    b[i % 3] = i;
  }
  Network net = {{{0}}, {w, b, 3}, 5};
  Point v[5];
  for (int i = 0; i < 5; i++) {
    y[i] = i;
    p[i] = (Point){i, i + 1, i + 2};
    v[i] = (Point){3 * i, i + 7, i * i};
  }
  forward(&net, in, out);
  aliased(&net, y, 5);
  move(p, v, 5, 2);
  return calls;
}

int main(void) {
  float a[3], b[3];
  int x[5], y[5];
  Point p[5], q[5];
  run(a, x, p);
  use_references = 1;
  return run(b, y, q) != 3 || memcmp(a, b, sizeof a) || memcmp(x, y, sizeof x) ||
         memcmp(p, q, sizeof p) || p[2].x != 14 || x[1] != 6;
}
