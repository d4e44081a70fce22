// Math functions in C's and CUDA's spellings. Library functions come from the
// host's libm through the machine's list of allowed symbols; fast intrinsics
// are computed precisely, since a verdict must not hang on approximations.
#ifndef AUTOKERNEL_MATH_H
#define AUTOKERNEL_MATH_H
#include "autokernel_runtime.h"

#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VALF __builtin_huge_valf()
#define HUGE_VAL __builtin_huge_val()
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

#define __AK_LIBM1(n)                                                          \
  extern "C" __host__ __device__ double n(double) noexcept;                    \
  extern "C" __host__ __device__ float n##f(float) noexcept;                   \
  __AK_BOTH float n(float x) { return n##f(x); }                               \
  __AK_BOTH double n(int x) { return n((double)x); }                           \
  namespace std {                                                              \
  using ::n;                                                                   \
  using ::n##f;                                                                \
  }
#define __AK_LIBM2(n)                                                          \
  extern "C" __host__ __device__ double n(double, double) noexcept;            \
  extern "C" __host__ __device__ float n##f(float, float) noexcept;            \
  __AK_BOTH float n(float x, float y) { return n##f(x, y); }                   \
  __AK_BOTH double n(double x, int y) { return n(x, (double)y); }              \
  __AK_BOTH double n(int x, double y) { return n((double)x, y); }              \
  __AK_BOTH double n(float x, double y) { return n((double)x, y); }            \
  __AK_BOTH double n(double x, float y) { return n(x, (double)y); }            \
  __AK_BOTH float n(int x, float y) { return n##f((float)x, y); }              \
  __AK_BOTH float n(float x, int y) { return n##f(x, (float)y); }              \
  __AK_BOTH double n(int x, int y) { return n((double)x, (double)y); }         \
  namespace std {                                                              \
  using ::n;                                                                   \
  using ::n##f;                                                                \
  }
__AK_LIBM1(acos)
__AK_LIBM1(asin) __AK_LIBM1(atan) __AK_LIBM1(cos) __AK_LIBM1(sin) __AK_LIBM1(
    tan) __AK_LIBM1(acosh) __AK_LIBM1(asinh) __AK_LIBM1(atanh) __AK_LIBM1(cosh)
    __AK_LIBM1(sinh) __AK_LIBM1(tanh) __AK_LIBM1(exp) __AK_LIBM1(exp2)
        __AK_LIBM1(expm1) __AK_LIBM1(log) __AK_LIBM1(log2) __AK_LIBM1(log10)
            __AK_LIBM1(log1p) __AK_LIBM1(logb) __AK_LIBM1(cbrt) __AK_LIBM1(sqrt)
                __AK_LIBM1(fabs) __AK_LIBM1(ceil) __AK_LIBM1(floor)
                    __AK_LIBM1(trunc) __AK_LIBM1(round) __AK_LIBM1(rint)
                        __AK_LIBM1(nearbyint) __AK_LIBM1(erf) __AK_LIBM1(erfc)
                            __AK_LIBM1(tgamma) __AK_LIBM1(lgamma)
                                __AK_LIBM2(pow) __AK_LIBM2(atan2)
                                    __AK_LIBM2(hypot) __AK_LIBM2(fmod)
                                        __AK_LIBM2(remainder)
                                            __AK_LIBM2(copysign)
                                                __AK_LIBM2(fdim)
                                                    __AK_LIBM2(nextafter)
                                                        __AK_LIBM2(fmax)
                                                            __AK_LIBM2(fmin)
#undef __AK_LIBM1
#undef __AK_LIBM2

                                                                extern "C" {
  __host__ __device__ double fma(double, double, double) noexcept;
  __host__ __device__ float fmaf(float, float, float) noexcept;
  __host__ __device__ double exp10(double) noexcept;
  __host__ __device__ float exp10f(float) noexcept;
  __host__ __device__ double ldexp(double, int) noexcept;
  __host__ __device__ float ldexpf(float, int) noexcept;
  __host__ __device__ double scalbn(double, int) noexcept;
  __host__ __device__ float scalbnf(float, int) noexcept;
  __host__ __device__ double frexp(double, int *) noexcept;
  __host__ __device__ float frexpf(float, int *) noexcept;
  __host__ __device__ double modf(double, double *) noexcept;
  __host__ __device__ float modff(float, float *) noexcept;
  __host__ __device__ int ilogb(double) noexcept;
  __host__ __device__ int ilogbf(float) noexcept;
  __host__ __device__ long lrint(double) noexcept;
  __host__ __device__ long lrintf(float) noexcept;
  __host__ __device__ long lround(double) noexcept;
  __host__ __device__ long lroundf(float) noexcept;
  __host__ __device__ long long llrint(double) noexcept;
  __host__ __device__ long long llrintf(float) noexcept;
  __host__ __device__ long long llround(double) noexcept;
  __host__ __device__ long long llroundf(float) noexcept;
  __host__ __device__ double j0(double) noexcept;
  __host__ __device__ double j1(double) noexcept;
}
__AK_BOTH float fma(float a, float b, float c) { return fmaf(a, b, c); }
/// a + b, rounded to odd: where it isn't exact, the last bit is set.
__AK_BOTH double __ak_sum_to_odd(double a, double b) {
  double sum = a + b, of_b = sum - a;
  double lost = (a - (sum - of_b)) + (b - of_b);
  unsigned long long bits = __builtin_bit_cast(unsigned long long, sum);
  if (lost == 0 || lost != lost || bits & 1)
    return sum;
  return __builtin_bit_cast(double,
                            (lost > 0) == (sum > 0) ? bits + 1 : bits - 1);
}
__AK_BOTH float ldexp(float x, int e) { return ldexpf(x, e); }
__AK_BOTH float scalbn(float x, int e) { return scalbnf(x, e); }
__AK_BOTH float frexp(float x, int *e) { return frexpf(x, e); }
__AK_BOTH float modf(float x, float *i) { return modff(x, i); }
__AK_BOTH long lrint(float x) { return lrintf(x); }
__AK_BOTH long lround(float x) { return lroundf(x); }

#define __AK_CLASSIFY(n, b)                                                    \
  __AK_BOTH bool n(float x) { return b(x); }                                   \
  __AK_BOTH bool n(double x) { return b(x); }
__AK_CLASSIFY(isnan, __builtin_isnan)
__AK_CLASSIFY(isinf, __builtin_isinf)
__AK_CLASSIFY(isfinite, __builtin_isfinite)
__AK_CLASSIFY(isnormal, __builtin_isnormal)
__AK_CLASSIFY(signbit, __builtin_signbit)
#undef __AK_CLASSIFY

__AK_BOTH int abs(int x) { return x < 0 ? -x : x; }
__AK_BOTH long abs(long x) { return x < 0 ? -x : x; }
__AK_BOTH long long abs(long long x) { return x < 0 ? -x : x; }
__AK_BOTH float abs(float x) { return __builtin_fabsf(x); }
__AK_BOTH double abs(double x) { return __builtin_fabs(x); }
__AK_BOTH long labs(long x) { return abs(x); }
__AK_BOTH long long llabs(long long x) { return abs(x); }

#define __AK_MINMAX(R, A, B)                                                   \
  __AK_BOTH R min(A a, B b) { return (R)a < (R)b ? (R)a : (R)b; }              \
  __AK_BOTH R max(A a, B b) { return (R)a > (R)b ? (R)a : (R)b; }
__AK_MINMAX(int, int, int)
__AK_MINMAX(unsigned, unsigned, unsigned)
__AK_MINMAX(unsigned, int, unsigned)
__AK_MINMAX(unsigned, unsigned, int)
__AK_MINMAX(long, long, long)
__AK_MINMAX(unsigned long, unsigned long, unsigned long)
__AK_MINMAX(unsigned long, long, unsigned long)
__AK_MINMAX(unsigned long, unsigned long, long)
__AK_MINMAX(long long, long long, long long)
__AK_MINMAX(unsigned long long, unsigned long long, unsigned long long)
__AK_MINMAX(unsigned long long, long long, unsigned long long)
__AK_MINMAX(unsigned long long, unsigned long long, long long)
#undef __AK_MINMAX
__AK_BOTH float min(float a, float b) { return fminf(a, b); }
__AK_BOTH float max(float a, float b) { return fmaxf(a, b); }
__AK_BOTH double min(double a, double b) { return fmin(a, b); }
__AK_BOTH double max(double a, double b) { return fmax(a, b); }
__AK_BOTH double min(float a, double b) { return fmin((double)a, b); }
__AK_BOTH double max(float a, double b) { return fmax((double)a, b); }
__AK_BOTH double min(double a, float b) { return fmin(a, (double)b); }
__AK_BOTH double max(double a, float b) { return fmax(a, (double)b); }

namespace std {
using ::abs;
using ::fma;
using ::fmaf;
using ::frexp;
using ::ilogb;
using ::isfinite;
using ::isinf;
using ::isnan;
using ::isnormal;
using ::ldexp;
using ::llrint;
using ::llround;
using ::lrint;
using ::lround;
using ::modf;
using ::scalbn;
using ::signbit;
} // namespace std

#define __AK_FAST1(n, T, e)                                                    \
  __AK_DEVICE T n(T x) { return e; }
#define __AK_FAST2(n, T, e)                                                    \
  __AK_DEVICE T n(T x, T y) { return e; }
#define __AK_ROUNDED(n, T, e2) __AK_FAST2(n##_rn, T, e2)
__AK_FAST1(__expf, float, expf(x))
__AK_FAST1(__exp10f, float, exp10f(x))
__AK_FAST1(__logf, float, logf(x))
__AK_FAST1(__log2f, float, log2f(x))
__AK_FAST1(__log10f, float, log10f(x))
__AK_FAST1(__sinf, float, sinf(x))
__AK_FAST1(__cosf, float, cosf(x))
__AK_FAST1(__tanf, float, tanf(x))
__AK_FAST1(__tanhf, float, tanhf(x))
__AK_FAST1(__saturatef, float, x != x ? 0.f : x < 0 ? 0.f : x > 1 ? 1.f : x)
__AK_FAST2(__powf, float, powf(x, y))
__AK_FAST2(__fdividef, float, x / y)
__AK_FAST2(fdividef, float, x / y)
__AK_FAST2(fdivide, double, x / y)
// The result of a call is rounded; contraction must not reach through it.
#define __AK_EXACT _Pragma("clang fp contract(off)")
#define __AK_EXACT2(n, T, op)                                                  \
  __AK_DEVICE T n(T x, T y) {                                                  \
    __AK_EXACT                                                                 \
    return x op y;                                                             \
  }
__AK_EXACT2(__fadd_rn, float, +)
__AK_EXACT2(__fsub_rn, float, -)
__AK_EXACT2(__fmul_rn, float, *)
__AK_EXACT2(__fdiv_rn, float, /)
__AK_EXACT2(__dadd_rn, double, +)
__AK_EXACT2(__dsub_rn, double, -)
__AK_EXACT2(__dmul_rn, double, *)
__AK_EXACT2(__ddiv_rn, double, /)
__AK_FAST1(__fsqrt_rn, float, __builtin_sqrtf(x))
__AK_FAST1(__dsqrt_rn, double, __builtin_sqrt(x))
__AK_FAST1(__frcp_rn, float, 1.f / x)
__AK_FAST1(__drcp_rn, double, 1.0 / x)
__AK_FAST1(__frsqrt_rn, float, (float)(1.0 / __builtin_sqrt((double)x)))
__AK_DEVICE float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
__AK_DEVICE double __fma_rn(double a, double b, double c) {
  return fma(a, b, c);
}
__AK_BOTH float rsqrtf(float x) {
  return (float)(1.0 / __builtin_sqrt((double)x));
}
__AK_BOTH double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
__AK_BOTH float rsqrt(float x) { return rsqrtf(x); }
__AK_BOTH float rcbrtf(float x) { return 1.f / cbrtf(x); }
__AK_BOTH double rcbrt(double x) { return 1.0 / cbrt(x); }
__AK_BOTH float sinpif(float x) {
  return (float)sin(M_PI * fmod((double)x, 2.0));
}
__AK_BOTH float cospif(float x) {
  return (float)cos(M_PI * fmod((double)x, 2.0));
}
__AK_BOTH double sinpi(double x) { return sin(M_PI * fmod(x, 2.0)); }
__AK_BOTH double cospi(double x) { return cos(M_PI * fmod(x, 2.0)); }
__AK_BOTH float normcdff(float x) { return 0.5f * erfcf(x * -0.70710678f); }
__AK_BOTH double normcdf(double x) { return 0.5 * erfc(x * -M_SQRT1_2); }
__AK_BOTH float erfinvf(float) __AK_UNSUPPORTED("erfinvf");
__AK_BOTH float norm3df(float x, float y, float z) {
  return (float)__builtin_sqrt((double)x * x + (double)y * y + (double)z * z);
}
__AK_BOTH float rhypotf(float x, float y) { return 1.f / hypotf(x, y); }
__AK_BOTH double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
__AK_BOTH void sincosf(float x, float *s, float *c) {
  *s = sinf(x);
  *c = cosf(x);
}
__AK_BOTH void sincos(double x, double *s, double *c) {
  *s = sin(x);
  *c = cos(x);
}
__AK_DEVICE void __sincosf(float x, float *s, float *c) { sincosf(x, s, c); }
__AK_BOTH void sincospif(float x, float *s, float *c) {
  *s = sinpif(x);
  *c = cospif(x);
}

template <class T, class F> __AK_BOTH T __ak_bits(F v) {
  static_assert(sizeof(T) == sizeof(F), "same size");
  return __builtin_bit_cast(T, v);
}
__AK_DEVICE int __float_as_int(float x) { return __ak_bits<int>(x); }
__AK_DEVICE unsigned __float_as_uint(float x) { return __ak_bits<unsigned>(x); }
__AK_DEVICE float __int_as_float(int x) { return __ak_bits<float>(x); }
__AK_DEVICE float __uint_as_float(unsigned x) { return __ak_bits<float>(x); }
__AK_DEVICE long long __double_as_longlong(double x) {
  return __ak_bits<long long>(x);
}
__AK_DEVICE double __longlong_as_double(long long x) {
  return __ak_bits<double>(x);
}
__AK_DEVICE int __double2hiint(double x) {
  return (int)(__ak_bits<long long>(x) >> 32);
}
__AK_DEVICE int __double2loint(double x) {
  return (int)__ak_bits<long long>(x);
}
__AK_DEVICE double __hiloint2double(int h, int l) {
  return __ak_bits<double>((unsigned long long)(unsigned)h << 32 | (unsigned)l);
}

// Conversions saturate and turn NaN into 0, as the hardware's do.
template <class T, class F>
__AK_BOTH T __ak_saturate(F x, F low, F high, T least, T most) {
  return x != x ? T(0) : x <= low ? least : x >= high ? most : (T)x;
}
#define __AK_TO_INT(n, F, r)                                                   \
  __AK_DEVICE int n(F x) {                                                     \
    return __ak_saturate<int>((double)r(x), -2147483648.0, 2147483647.0,       \
                              -2147483647 - 1, 2147483647);                    \
  }
#define __AK_TO_UINT(n, F, r)                                                  \
  __AK_DEVICE unsigned n(F x) {                                                \
    return __ak_saturate<unsigned>((double)r(x), 0.0, 4294967295.0, 0u, ~0u);  \
  }
#define __AK_TO_LL(n, F, r)                                                    \
  __AK_DEVICE long long n(F x) {                                               \
    return __ak_saturate<long long>(                                           \
        (double)r(x), -9223372036854775808.0, 9223372036854775808.0,           \
        -9223372036854775807ll - 1, 9223372036854775807ll);                    \
  }
#define __AK_CONVERSIONS(n, k)                                                 \
  k(n##_rn, __AK_FROM, rint) k(n##_rz, __AK_FROM, trunc)                       \
      k(n##_ru, __AK_FROM, ceil) k(n##_rd, __AK_FROM, floor)
#define __AK_FROM float
__AK_CONVERSIONS(__float2int, __AK_TO_INT)
__AK_CONVERSIONS(__float2uint, __AK_TO_UINT)
__AK_CONVERSIONS(__float2ll, __AK_TO_LL)
#undef __AK_FROM
#define __AK_FROM double
__AK_CONVERSIONS(__double2int, __AK_TO_INT)
__AK_CONVERSIONS(__double2uint, __AK_TO_UINT)
__AK_CONVERSIONS(__double2ll, __AK_TO_LL)
#undef __AK_FROM
__AK_DEVICE float __int2float_rn(int x) { return (float)x; }
__AK_DEVICE float __uint2float_rn(unsigned x) { return (float)x; }
__AK_DEVICE float __ll2float_rn(long long x) { return (float)x; }
__AK_DEVICE double __int2double_rn(int x) { return x; }
__AK_DEVICE double __uint2double_rn(unsigned x) { return x; }
__AK_DEVICE double __ll2double_rn(long long x) { return (double)x; }
__AK_DEVICE float __double2float_rn(double x) { return (float)x; }

__AK_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
__AK_DEVICE int __popcll(unsigned long long x) {
  return __builtin_popcountll(x);
}
__AK_DEVICE int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
__AK_DEVICE int __clzll(long long x) {
  return x ? __builtin_clzll((unsigned long long)x) : 64;
}
__AK_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
__AK_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
__AK_DEVICE unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
__AK_DEVICE unsigned long long __brevll(unsigned long long x) {
  return __builtin_bitreverse64(x);
}
__AK_DEVICE int __mul24(int a, int b) {
  return (int)(((unsigned)(a << 8) >> 8) * ((unsigned)(b << 8) >> 8));
}
__AK_DEVICE unsigned __umul24(unsigned a, unsigned b) {
  return (a & 0xffffff) * (b & 0xffffff);
}
__AK_DEVICE int __mulhi(int a, int b) {
  return (int)(((long long)a * b) >> 32);
}
__AK_DEVICE unsigned __umulhi(unsigned a, unsigned b) {
  return (unsigned)(((unsigned long long)a * b) >> 32);
}
__AK_DEVICE long long __mul64hi(long long a, long long b) {
  return (long long)(((__int128)a * b) >> 64);
}
__AK_DEVICE unsigned long long __umul64hi(unsigned long long a,
                                          unsigned long long b) {
  return (unsigned long long)(((unsigned __int128)a * b) >> 64);
}
__AK_DEVICE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
__AK_DEVICE unsigned __uhadd(unsigned a, unsigned b) {
  return (unsigned)(((unsigned long long)a + b) >> 1);
}
__AK_DEVICE unsigned __sad(int a, int b, unsigned c) {
  return c + (unsigned)(a > b ? (long long)a - b : (long long)b - a);
}
__AK_DEVICE unsigned __usad(unsigned a, unsigned b, unsigned c) {
  return c + (a > b ? a - b : b - a);
}
__AK_DEVICE unsigned __byte_perm(unsigned x, unsigned y, unsigned s) {
  unsigned long long all = (unsigned long long)y << 32 | x;
  unsigned r = 0;
  for (int i = 0; i < 4; ++i) {
    unsigned pick = s >> (4 * i), b = (unsigned)(all >> (8 * (pick & 7))) & 255;
    r |= (pick & 8 ? (b & 128 ? 255u : 0u) : b) << (8 * i);
  }
  return r;
}
__AK_DEVICE unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned n) {
  return (unsigned)((((unsigned long long)hi << 32 | lo) << (n & 31)) >> 32);
}
__AK_DEVICE unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned n) {
  return (unsigned)(((unsigned long long)hi << 32 | lo) >> (n & 31));
}
__AK_DEVICE int __dp4a(int a, int b, int c) {
  for (int i = 0; i < 32; i += 8)
    c = (int)((unsigned)c +
              (unsigned)((signed char)(a >> i) * (signed char)(b >> i)));
  return c;
}
__AK_DEVICE unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int i = 0; i < 32; i += 8)
    c += ((a >> i) & 255) * ((b >> i) & 255);
  return c;
}
#endif
