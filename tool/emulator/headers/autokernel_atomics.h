// Atomic operations. The machine is told first (bounds, races, fences); then a
// plain step does the work, since one operating-system thread runs all lanes.
#ifndef AUTOKERNEL_ATOMICS_H
#define AUTOKERNEL_ATOMICS_H
#include "autokernel_runtime.h"
#include "autokernel_state.h"

// The instrumentation leaves atomic loads and stores alone. The empty assembly
// keeps the stored value from being forwarded to a plain (and checked) load.
template <class T> __AK_DEVICE T __ak_take(T *p) {
  T v;
  __atomic_load(p, &v, __ATOMIC_RELAXED);
  return v;
}
template <class T> __AK_DEVICE void __ak_put(T *p, T v) {
  __atomic_store(p, &v, __ATOMIC_RELAXED);
  asm volatile("" ::: "memory");
}

#define __AK_ATOMIC_ONE(name, T, next)                                         \
  __AK_DEVICE T name(T *p, T v) {                                              \
    __ak_atomic(p, sizeof(T), __AK_HERE);                                      \
    T old = __ak_take(p);                                                      \
    __ak_put(p, (T)(next));                                                    \
    return old;                                                                \
  }
#define __AK_ATOMIC(name, T, next)                                             \
  __AK_ATOMIC_ONE(name, T, next)                                               \
  __AK_ATOMIC_ONE(name##_block, T, next)                                       \
  __AK_ATOMIC_ONE(name##_system, T, next)

#define __AK_ORDER_ATOMICS(T)                                                  \
  __AK_ATOMIC(atomicMin, T, old < v ? old : v)                                 \
  __AK_ATOMIC(atomicMax, T, old > v ? old : v)                                 \
  __AK_ATOMIC(atomicAnd, T, old &v)                                            \
  __AK_ATOMIC(atomicOr, T, old | v)                                            \
  __AK_ATOMIC(atomicXor, T, old ^ v)

#define __AK_ATOMIC_CAS_ONE(name, T)                                           \
  __AK_DEVICE T name(T *p, T expected, T v) {                                  \
    __ak_atomic(p, sizeof(T), __AK_HERE);                                      \
    T old = __ak_take(p);                                                      \
    if (old == expected)                                                       \
      __ak_put(p, v);                                                          \
    return old;                                                                \
  }
#define __AK_ATOMIC_CAS(T)                                                     \
  __AK_ATOMIC_CAS_ONE(atomicCAS, T)                                            \
  __AK_ATOMIC_CAS_ONE(atomicCAS_block, T)                                      \
  __AK_ATOMIC_CAS_ONE(atomicCAS_system, T)

// Exactly CUDA's overloads: what nvcc refuses mustn't pass here.
__AK_ORDER_ATOMICS(int)
__AK_ORDER_ATOMICS(unsigned)
__AK_ORDER_ATOMICS(long long)
__AK_ORDER_ATOMICS(unsigned long long)
__AK_ATOMIC(atomicAdd, int, (unsigned)old + (unsigned)v)
__AK_ATOMIC(atomicAdd, unsigned, old + v)
__AK_ATOMIC(atomicAdd, unsigned long long, old + v)
__AK_ATOMIC(atomicSub, int, (unsigned)old - (unsigned)v)
__AK_ATOMIC(atomicSub, unsigned, old - v)
__AK_ATOMIC(atomicExch, int, v)
__AK_ATOMIC(atomicExch, unsigned, v)
__AK_ATOMIC(atomicExch, unsigned long long, v)
__AK_ATOMIC_CAS(int)
__AK_ATOMIC_CAS(unsigned)
__AK_ATOMIC_CAS(unsigned long long)
__AK_ATOMIC_CAS(unsigned short)
__AK_ATOMIC(atomicInc, unsigned, old >= v ? 0 : old + 1)
__AK_ATOMIC(atomicDec, unsigned, old == 0 || old > v ? v : old - 1)

// In global memory the hardware's single-precision add takes and leaves
// subnormal numbers as zero (measured on sm_90); in shared memory it doesn't.
__AK_DEVICE float __ak_flushed(float x) {
  return __builtin_fabsf(x) < 0x1p-126f ? 0.0f : x;
}
__AK_DEVICE float __ak_add(const void *p, float a, float b) {
  unsigned long long at = (unsigned long long)p;
  if (at < AK_DEVICE_BASE + AK_SHARED_BYTES || at >= AK_CELL_BASE)
    return a + b;
  return __ak_flushed(__ak_flushed(a) + __ak_flushed(b));
}
__AK_ATOMIC(atomicAdd, float, __ak_add(p, old, v))
__AK_ATOMIC(atomicExch, float, v)
__AK_ATOMIC(atomicAdd, double, old + v)
#endif
