// Half precision. Values live as bits; each operation is computed exactly
// enough in float or double and rounded once, as the hardware does.
#ifndef AUTOKERNEL_CUDA_FP16_H
#define AUTOKERNEL_CUDA_FP16_H
#include "cuda_runtime.h"

#define __AK_MEMBER __host__ __device__ __attribute__((always_inline, nodebug))
#define CUDA_VERSION_FP16 12080

extern "C" __host__ unsigned short __ak_half_from_double(double);
extern "C" __host__ float __ak_half_to_float(unsigned short);

struct __half_raw {
  unsigned short x;
};

struct __attribute__((aligned(2))) __half {
  unsigned short __x;
  __half() = default;
  __AK_MEMBER __half(__half_raw r) : __x(r.x) {}
  __AK_MEMBER __half(float f) : __x(__ak_half_from_double(f)) {}
  __AK_MEMBER __half(double d) : __x(__ak_half_from_double(d)) {}
  __AK_MEMBER __half(int i) : __x(__ak_half_from_double(i)) {}
  __AK_MEMBER __half(unsigned i) : __x(__ak_half_from_double(i)) {}
  __AK_MEMBER __half(short i) : __x(__ak_half_from_double(i)) {}
  __AK_MEMBER __half(long long i) : __x(__ak_half_from_double((double)i)) {}
  __AK_MEMBER operator float() const { return __ak_half_to_float(__x); }
  __AK_MEMBER operator __half_raw() const { return {__x}; }
  __AK_MEMBER __half &operator=(float f) { return *this = __half(f); }
  __AK_MEMBER __half &operator=(double d) { return *this = __half(d); }
  __AK_MEMBER __half &operator=(int i) { return *this = __half(i); }
};
typedef __half half;
typedef __half nv_half;

struct __attribute__((aligned(4))) __half2 {
  __half x, y;
  __half2() = default;
  __AK_MEMBER __half2(__half a, __half b) : x(a), y(b) {}
};
typedef __half2 half2;

#define __AK_NARROW __half
#define __AK_NARROW2 __half2
#define __AK_WIDE(v) __ak_half_to_float((v).__x)
#define __AK_ROUND(d) __half(__half_raw{__ak_half_from_double(d)})
#include "autokernel_narrow.inc"
#undef __AK_NARROW
#undef __AK_NARROW2
#undef __AK_WIDE
#undef __AK_ROUND

__AK_BOTH __half __float2half(float f) { return __half(f); }
__AK_BOTH __half __float2half_rn(float f) { return __half(f); }
__AK_BOTH __half __double2half(double d) { return __half(d); }
__AK_BOTH float __half2float(__half h) { return (float)h; }
__AK_BOTH __half2 __float2half2_rn(float f) { return {__half(f), __half(f)}; }
__AK_BOTH __half2 __floats2half2_rn(float a, float b) {
  return {__half(a), __half(b)};
}
__AK_BOTH __half2 __float22half2_rn(float2 f) {
  return {__half(f.x), __half(f.y)};
}
__AK_BOTH float2 __half22float2(__half2 h) { return {(float)h.x, (float)h.y}; }
__AK_BOTH __half2 __half2half2(__half h) { return {h, h}; }
__AK_BOTH __half2 __halves2half2(__half a, __half b) { return {a, b}; }
__AK_BOTH __half2 make_half2(__half a, __half b) { return {a, b}; }
__AK_BOTH __half __low2half(__half2 h) { return h.x; }
__AK_BOTH __half __high2half(__half2 h) { return h.y; }
__AK_BOTH float __low2float(__half2 h) { return (float)h.x; }
__AK_BOTH float __high2float(__half2 h) { return (float)h.y; }
__AK_BOTH __half2 __lowhigh2highlow(__half2 h) { return {h.y, h.x}; }
__AK_BOTH unsigned short __half_as_ushort(__half h) { return h.__x; }
__AK_BOTH short __half_as_short(__half h) { return (short)h.__x; }
__AK_BOTH __half __ushort_as_half(unsigned short x) { return __half_raw{x}; }
__AK_BOTH __half __short_as_half(short x) {
  return __half_raw{(unsigned short)x};
}
__AK_BOTH __half __int2half_rn(int i) { return __half(i); }
__AK_BOTH __half __uint2half_rn(unsigned i) { return __half(i); }
__AK_DEVICE int __half2int_rn(__half h) { return __float2int_rn((float)h); }
__AK_DEVICE int __half2int_rz(__half h) { return __float2int_rz((float)h); }
#endif
