#pragma once
#include "autokernel_runtime.h"
__AK_BOTH void *memcpy(void *d, const void *s, size_t n) {
  return __builtin_memcpy(d, s, n);
}
__AK_BOTH void *memmove(void *d, const void *s, size_t n) {
  return __builtin_memmove(d, s, n);
}
__AK_BOTH void *memset(void *d, int v, size_t n) {
  return __builtin_memset(d, v, n);
}
