#ifndef OUTER_H
#define OUTER_H
#include <relax.h>
#include "relax.h"
inline void twice(int n, float *x) {
  scale(n, x);
  relax(n, x, x + n);
}
#endif
