#pragma once
#include "autokernel_runtime.h"
#undef assert
#if defined(NDEBUG) || !defined(__AUTOKERNEL_DEVICE__)
#define assert(x) ((void)0)
#else
#define assert(x)                                                              \
  ((x) ? (void)0 : __ak_stop("assertion", "assertion failed: " #x, __AK_HERE))
#endif
