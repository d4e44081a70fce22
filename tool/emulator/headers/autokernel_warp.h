// Barriers, fences, warp operations and what else blocks or looks at lanes.
#ifndef AUTOKERNEL_WARP_H
#define AUTOKERNEL_WARP_H
#include "autokernel_runtime.h"
#include "autokernel_state.h"

__AK_DEVICE void __syncthreads() { __ak_barrier(__AK_PLAIN, 0, __AK_HERE); }
__AK_DEVICE int __syncthreads_count(int p) {
  return __ak_barrier(__AK_COUNT, p, __AK_HERE);
}
__AK_DEVICE int __syncthreads_and(int p) {
  return __ak_barrier(__AK_AND, p, __AK_HERE);
}
__AK_DEVICE int __syncthreads_or(int p) {
  return __ak_barrier(__AK_OR, p, __AK_HERE);
}
__AK_DEVICE void __threadfence() { __ak_fence(1, __AK_HERE); }
__AK_DEVICE void __threadfence_block() { __ak_fence(0, __AK_HERE); }
__AK_DEVICE void __threadfence_system() { __ak_fence(2, __AK_HERE); }
__AK_DEVICE void __nanosleep(unsigned) { __ak_yield(__AK_HERE); }

#define __AK_WARP(op, mask, value, argument, width)                            \
  __ak_warp(op, mask, value, argument, width, __AK_HERE)
#define __AK_VOTE(name, op, result)                                            \
  __AK_DEVICE result name(unsigned mask, int p) {                              \
    return (result)__AK_WARP(op, mask, p != 0, 0, 32);                         \
  }
__AK_VOTE(__ballot_sync, __AK_BALLOT, unsigned)
__AK_VOTE(__any_sync, __AK_ANY, int)
__AK_VOTE(__all_sync, __AK_ALL, int)
__AK_VOTE(__uni_sync, __AK_UNI, int)
#undef __AK_VOTE

__AK_DEVICE void __syncwarp(unsigned mask = 0xffffffffu) {
  __AK_WARP(__AK_SYNCWARP, mask, 0, 0, 32);
}
__AK_DEVICE unsigned __activemask() {
  return (unsigned)__AK_WARP(__AK_ACTIVEMASK, 0, 0, 0, 32);
}

template <class T>
__AK_DEVICE T __ak_exchange(int op, unsigned mask, T value, int argument,
                            int width) {
  static_assert(sizeof(T) <= 8, "a shuffle moves 8 bytes at most");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  bits = __ak_warp(op, mask, bits, argument, width, __AK_HERE);
  __builtin_memcpy(&value, &bits, sizeof(T));
  return value;
}

#define __AK_SHUFFLES(T)                                                       \
  __AK_DEVICE T __shfl_sync(unsigned m, T v, int lane, int w = 32) {           \
    return __ak_exchange(__AK_SHFL, m, v, lane, w);                            \
  }                                                                            \
  __AK_DEVICE T __shfl_up_sync(unsigned m, T v, unsigned d, int w = 32) {      \
    return __ak_exchange(__AK_SHFL_UP, m, v, (int)d, w);                       \
  }                                                                            \
  __AK_DEVICE T __shfl_down_sync(unsigned m, T v, unsigned d, int w = 32) {    \
    return __ak_exchange(__AK_SHFL_DOWN, m, v, (int)d, w);                     \
  }                                                                            \
  __AK_DEVICE T __shfl_xor_sync(unsigned m, T v, int lanes, int w = 32) {      \
    return __ak_exchange(__AK_SHFL_XOR, m, v, lanes, w);                       \
  }
__AK_SHUFFLES(int)
__AK_SHUFFLES(unsigned)
__AK_SHUFFLES(long)
__AK_SHUFFLES(unsigned long)
__AK_SHUFFLES(long long)
__AK_SHUFFLES(unsigned long long)
__AK_SHUFFLES(float)
__AK_SHUFFLES(double)

#define __AK_MATCHES(T)                                                        \
  __AK_DEVICE unsigned __match_any_sync(unsigned m, T v) {                     \
    unsigned long long bits = 0;                                               \
    __builtin_memcpy(&bits, &v, sizeof(T));                                    \
    return (unsigned)__AK_WARP(__AK_MATCH_ANY, m, bits, 0, 32);                \
  }                                                                            \
  __AK_DEVICE unsigned __match_all_sync(unsigned m, T v, int *p) {             \
    unsigned long long bits = 0;                                               \
    __builtin_memcpy(&bits, &v, sizeof(T));                                    \
    unsigned r = (unsigned)__AK_WARP(__AK_MATCH_ALL, m, bits, 0, 32);          \
    *p = r != 0;                                                               \
    return r;                                                                  \
  }
__AK_MATCHES(int)
__AK_MATCHES(unsigned)
__AK_MATCHES(long)
__AK_MATCHES(unsigned long)
__AK_MATCHES(long long)
__AK_MATCHES(unsigned long long)
__AK_MATCHES(float)
__AK_MATCHES(double)
#undef __AK_MATCHES

#define __AK_REDUCE(name, T, op)                                               \
  __AK_DEVICE T __reduce_##name##_sync(unsigned m, T v) {                      \
    return (T)__AK_WARP(op, m, (unsigned)v, 0, 32);                            \
  }
__AK_REDUCE(add, int, __AK_REDUCE_ADD)
__AK_REDUCE(add, unsigned, __AK_REDUCE_ADD)
__AK_REDUCE(min, int, __AK_REDUCE_MIN)
__AK_REDUCE(min, unsigned, __AK_REDUCE_UMIN)
__AK_REDUCE(max, int, __AK_REDUCE_MAX)
__AK_REDUCE(max, unsigned, __AK_REDUCE_UMAX)
__AK_REDUCE(and, unsigned, __AK_REDUCE_AND)
__AK_REDUCE(or, unsigned, __AK_REDUCE_OR)
__AK_REDUCE(xor, unsigned, __AK_REDUCE_XOR)
#undef __AK_REDUCE

template <class T>
__AK_UNSUPPORTED("__shfl without _sync")
__device__ T __shfl(T, int, int = 32);
template <class T>
__AK_UNSUPPORTED("__shfl_down without _sync")
__device__ T __shfl_down(T, unsigned, int = 32);
template <class T>
__AK_UNSUPPORTED("__shfl_up without _sync")
__device__ T __shfl_up(T, unsigned, int = 32);
template <class T>
__AK_UNSUPPORTED("__shfl_xor without _sync")
__device__ T __shfl_xor(T, int, int = 32);

__AK_DEVICE unsigned long long clock64() { return __ak_clock(); }
__AK_DEVICE int clock() { return (int)__ak_clock(); }
__AK_DEVICE void __trap() {
  __ak_stop("trap", "__trap() was called", __AK_HERE);
}
__AK_DEVICE void __brkpt() {}
__AK_DEVICE unsigned __isGlobal(const void *p) {
  unsigned long long a = (unsigned long long)p;
  return a >= AK_DEVICE_BASE + AK_SHARED_BYTES && a < AK_CELL_BASE;
}
__AK_DEVICE size_t __cvta_generic_to_shared(const void *p) { return (size_t)p; }

__device__ __AK_UNSUPPORTED("cp.async") void __pipeline_memcpy_async(
    void *, const void *, size_t, size_t = 0);
__device__ __AK_UNSUPPORTED("cp.async") void __pipeline_commit();
__device__ __AK_UNSUPPORTED("cp.async") void __pipeline_wait_prior(int);
#endif
