// CUDA's vector types, dim3 and the make_* functions.
#ifndef AUTOKERNEL_VECTOR_TYPES_H
#define AUTOKERNEL_VECTOR_TYPES_H
#include "autokernel_runtime.h"

#define __AK_VECTORS(T, N, A1, A2, A3, A4)                                     \
  struct __attribute__((aligned(A1))) N##1 { T x; };                           \
  struct __attribute__((aligned(A2))) N##2 { T x, y; };                        \
  struct __attribute__((aligned(A3))) N##3 { T x, y, z; };                     \
  struct __attribute__((aligned(A4))) N##4 { T x, y, z, w; };                  \
  __AK_BOTH N##1 make_##N##1(T x) { return {x}; }                              \
  __AK_BOTH N##2 make_##N##2(T x, T y) { return {x, y}; }                      \
  __AK_BOTH N##3 make_##N##3(T x, T y, T z) { return {x, y, z}; }              \
  __AK_BOTH N##4 make_##N##4(T x, T y, T z, T w) { return {x, y, z, w}; }

__AK_VECTORS(signed char, char, 1, 2, 1, 4)
__AK_VECTORS(unsigned char, uchar, 1, 2, 1, 4)
__AK_VECTORS(short, short, 2, 4, 2, 8)
__AK_VECTORS(unsigned short, ushort, 2, 4, 2, 8)
__AK_VECTORS(int, int, 4, 8, 4, 16)
__AK_VECTORS(unsigned, uint, 4, 8, 4, 16)
__AK_VECTORS(long, long, 8, 16, 8, 16)
__AK_VECTORS(unsigned long, ulong, 8, 16, 8, 16)
__AK_VECTORS(long long, longlong, 8, 16, 8, 16)
__AK_VECTORS(unsigned long long, ulonglong, 8, 16, 8, 16)
__AK_VECTORS(float, float, 4, 8, 4, 16)
__AK_VECTORS(double, double, 8, 16, 8, 16)
#undef __AK_VECTORS

struct dim3 {
  unsigned x, y, z;
  __host__ __device__
      __attribute__((nodebug)) constexpr dim3(unsigned x = 1, unsigned y = 1,
                                              unsigned z = 1)
      : x(x), y(y), z(z) {}
  __host__ __device__ __attribute__((nodebug)) constexpr dim3(uint3 v)
      : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ __attribute__((nodebug)) constexpr
  operator uint3() const {
    return {x, y, z};
  }
};

extern "C" {
extern __device__ const uint3 threadIdx;
extern __device__ const uint3 blockIdx;
extern __device__ const dim3 blockDim;
extern __device__ const dim3 gridDim;
}
constexpr int warpSize = 32;
#endif
