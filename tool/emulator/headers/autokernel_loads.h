// Loads and stores with cache hints are plain ones here.
#ifndef AUTOKERNEL_LOADS_H
#define AUTOKERNEL_LOADS_H
#include "autokernel_runtime.h"
#define __AK_LOAD(n)                                                           \
  template <class T> __AK_DEVICE T n(const T *p) { return *p; }
__AK_LOAD(__ldg)
__AK_LOAD(__ldca)
__AK_LOAD(__ldcg)
__AK_LOAD(__ldcs)
__AK_LOAD(__ldcv)
__AK_LOAD(__ldlu)
#undef __AK_LOAD
#define __AK_STORE(n)                                                          \
  template <class T> __AK_DEVICE void n(T *p, T v) { *p = v; }
__AK_STORE(__stwb)
__AK_STORE(__stcg)
__AK_STORE(__stcs)
__AK_STORE(__stwt)
#undef __AK_STORE
#endif
