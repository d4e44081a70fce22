// CUDA's keywords and the machine's entry points that the other headers wrap.
// A null site as last argument is replaced by the caller's place (Instrument).
#ifndef AUTOKERNEL_RUNTIME_H
#define AUTOKERNEL_RUNTIME_H
#include <stddef.h>
#include <stdint.h>

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __grid_constant__
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline __attribute__((always_inline))
#define __inline_hint__
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __cluster_dims__(...)
#define __maxnreg__(...)
#define __restrict __restrict__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))

#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 8
#define CUDART_VERSION 12080
#define CUDA_VERSION 12080
#define __CUDACC_EXTENDED_LAMBDA__ 1
#ifdef __CUDA_ARCH__
#undef __CUDA_ARCH__
#endif
#ifdef __AUTOKERNEL_DEVICE__
#define __CUDA_ARCH__ 900
#endif

// Wrappers carry no debug information: what they inline to is at the call.
#define __AK_DEVICE                                                            \
  static inline __attribute__((device, always_inline, nodebug,                 \
                               no_sanitize("undefined")))
#define __AK_BOTH                                                              \
  static inline __attribute__((host, device, always_inline, nodebug,           \
                               no_sanitize("undefined")))
#define __AK_HOST                                                              \
  static inline                                                                \
      __attribute__((host, always_inline, nodebug, no_sanitize("undefined")))
#define __AK_UNSUPPORTED(what)                                                 \
  __attribute__((unavailable("unsupported on the emulator: " what)))
#define __AK_SYNC __attribute__((device, convergent, nomerge))

typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;

struct __ak_site;
#define __AK_HERE ((const __ak_site *)0)

enum __ak_barrier_op { __AK_PLAIN, __AK_COUNT, __AK_AND, __AK_OR };
enum __ak_warp_op {
  __AK_SHFL,
  __AK_SHFL_UP,
  __AK_SHFL_DOWN,
  __AK_SHFL_XOR,
  __AK_BALLOT,
  __AK_ANY,
  __AK_ALL,
  __AK_UNI,
  __AK_MATCH_ANY,
  __AK_MATCH_ALL,
  __AK_REDUCE_ADD,
  __AK_REDUCE_MIN,
  __AK_REDUCE_MAX,
  __AK_REDUCE_UMIN,
  __AK_REDUCE_UMAX,
  __AK_REDUCE_AND,
  __AK_REDUCE_OR,
  __AK_REDUCE_XOR,
  __AK_SYNCWARP,
  __AK_ACTIVEMASK
};

extern "C" {
__AK_SYNC int __ak_barrier(int op, int predicate, const __ak_site *);
__AK_SYNC unsigned long long __ak_warp(int op, unsigned mask,
                                       unsigned long long value, int argument,
                                       int width, const __ak_site *);
__AK_SYNC void __ak_grid_sync(const __ak_site *);
__AK_SYNC void __ak_atomic(const volatile void *, unsigned size,
                           const __ak_site *);
__AK_SYNC void __ak_fence(int scope, const __ak_site *);
__AK_SYNC void __ak_yield(const __ak_site *);
__AK_SYNC __attribute__((noreturn)) void
__ak_stop(const char *kind, const char *message, const __ak_site *);
__device__ unsigned long long __ak_clock();
__device__ unsigned __ak_lane();
__device__ unsigned __ak_block_shared_bytes(int dynamic);
__device__ __attribute__((const)) unsigned short __ak_half_from_double(double);
__device__ __attribute__((const)) float __ak_half_to_float(unsigned short);
}
#endif
