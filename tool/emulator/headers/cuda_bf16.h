// bfloat16, in the same manner as half precision.
#ifndef AUTOKERNEL_CUDA_BF16_H
#define AUTOKERNEL_CUDA_BF16_H
#include "cuda_runtime.h"

#ifndef __AK_MEMBER
#define __AK_MEMBER __host__ __device__ __attribute__((always_inline, nodebug))
#endif

// Rounds once from double: a sticky bit stands for what float can't hold.
__AK_BOTH unsigned short __ak_bfloat_from_double(double d) {
  float f = (float)d;
  if (f != f)
    return 0x7fff;
  unsigned bits = __builtin_bit_cast(unsigned, f);
  double back = (double)f;
  if (back != d) {
    // Round to odd: step towards zero, then mark that something is missing.
    bool away = (back > d) == (d > 0);
    bits = (away ? bits - 1 : bits) | 1;
  }
  return (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
__AK_BOTH float __ak_bfloat_to_float(unsigned short x) {
  return __builtin_bit_cast(float, (unsigned)x << 16);
}

struct __nv_bfloat16_raw {
  unsigned short x;
};

struct __attribute__((aligned(2))) __nv_bfloat16 {
  unsigned short __x;
  __nv_bfloat16() = default;
  __AK_MEMBER __nv_bfloat16(__nv_bfloat16_raw r) : __x(r.x) {}
  __AK_MEMBER __nv_bfloat16(float f) : __x(__ak_bfloat_from_double(f)) {}
  __AK_MEMBER __nv_bfloat16(double d) : __x(__ak_bfloat_from_double(d)) {}
  __AK_MEMBER __nv_bfloat16(int i) : __x(__ak_bfloat_from_double(i)) {}
  __AK_MEMBER __nv_bfloat16(unsigned i) : __x(__ak_bfloat_from_double(i)) {}
  __AK_MEMBER operator float() const { return __ak_bfloat_to_float(__x); }
  __AK_MEMBER operator __nv_bfloat16_raw() const { return {__x}; }
  __AK_MEMBER __nv_bfloat16 &operator=(float f) {
    return *this = __nv_bfloat16(f);
  }
  __AK_MEMBER __nv_bfloat16 &operator=(double d) {
    return *this = __nv_bfloat16(d);
  }
  __AK_MEMBER __nv_bfloat16 &operator=(int i) {
    return *this = __nv_bfloat16(i);
  }
};
typedef __nv_bfloat16 nv_bfloat16;

struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  __AK_MEMBER __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) : x(a), y(b) {}
};
typedef __nv_bfloat162 nv_bfloat162;

#define __AK_NARROW __nv_bfloat16
#define __AK_NARROW2 __nv_bfloat162
#define __AK_WIDE(v) __ak_bfloat_to_float((v).__x)
#define __AK_ROUND(d)                                                          \
  __nv_bfloat16(__nv_bfloat16_raw{__ak_bfloat_from_double(d)})
#include "autokernel_narrow.inc"
#undef __AK_NARROW
#undef __AK_NARROW2
#undef __AK_WIDE
#undef __AK_ROUND

__AK_BOTH __nv_bfloat16 __float2bfloat16(float f) { return __nv_bfloat16(f); }
__AK_BOTH __nv_bfloat16 __float2bfloat16_rn(float f) {
  return __nv_bfloat16(f);
}
__AK_BOTH __nv_bfloat16 __double2bfloat16(double d) { return __nv_bfloat16(d); }
__AK_BOTH float __bfloat162float(__nv_bfloat16 h) { return (float)h; }
__AK_BOTH __nv_bfloat162 __float2bfloat162_rn(float f) {
  return {__nv_bfloat16(f), __nv_bfloat16(f)};
}
__AK_BOTH __nv_bfloat162 __floats2bfloat162_rn(float a, float b) {
  return {__nv_bfloat16(a), __nv_bfloat16(b)};
}
__AK_BOTH __nv_bfloat162 __float22bfloat162_rn(float2 f) {
  return {__nv_bfloat16(f.x), __nv_bfloat16(f.y)};
}
__AK_BOTH float2 __bfloat1622float2(__nv_bfloat162 h) {
  return {(float)h.x, (float)h.y};
}
__AK_BOTH __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 h) {
  return {h, h};
}
__AK_BOTH __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
  return {a, b};
}
__AK_BOTH __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
  return {a, b};
}
__AK_BOTH __nv_bfloat16 __low2bfloat16(__nv_bfloat162 h) { return h.x; }
__AK_BOTH __nv_bfloat16 __high2bfloat16(__nv_bfloat162 h) { return h.y; }
__AK_BOTH float __low2float(__nv_bfloat162 h) { return (float)h.x; }
__AK_BOTH float __high2float(__nv_bfloat162 h) { return (float)h.y; }
__AK_BOTH unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) { return h.__x; }
__AK_BOTH __nv_bfloat16 __ushort_as_bfloat16(unsigned short x) {
  return __nv_bfloat16_raw{x};
}
__AK_BOTH __nv_bfloat16 __int2bfloat16_rn(int i) { return __nv_bfloat16(i); }
#endif
