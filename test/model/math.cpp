// Functions of <cmath> in all their spellings.
// RUN: %autokernel scan %s -- -std=c++17 | FileCheck %s
#include <cmath>
#include <math.h>

// CHECK: scopedSingle taken: map over i
void scopedSingle(const float *x, const float *z, float *y, int n) {
  [[autokernel]] for (int i = 0; i < n; ++i)
    y[i] =
      std::sqrt(x[i]) + std::cbrt(x[i]) + std::exp(x[i]) + std::exp2(x[i]) +
      std::expm1(x[i]) + std::log(x[i]) + std::log2(x[i]) + std::log10(x[i]) +
      std::log1p(x[i]) + std::sin(x[i]) + std::cos(x[i]) + std::tan(x[i]) +
      std::asin(x[i]) + std::acos(x[i]) + std::atan(x[i]) + std::sinh(x[i]) +
      std::cosh(x[i]) + std::tanh(x[i]) + std::asinh(x[i]) + std::acosh(x[i]) +
      std::atanh(x[i]) + std::erf(x[i]) + std::erfc(x[i]) + std::tgamma(x[i]) +
      std::lgamma(x[i]) + std::fabs(x[i]) + std::floor(x[i]) + std::ceil(x[i]) +
      std::trunc(x[i]) + std::round(x[i]) + std::rint(x[i]) + std::nearbyint(x[i]) +
      std::pow(x[i], z[i]) + std::atan2(x[i], z[i]) + std::hypot(x[i], z[i]) +
      std::fmin(x[i], z[i]) + std::fmax(x[i], z[i]) + std::fdim(x[i], z[i]) +
      std::fmod(x[i], z[i]) + std::remainder(x[i], z[i]) + std::copysign(x[i], z[i]) +
      std::fma(x[i], z[i], 2) + std::abs(x[i]);
}

// CHECK: scopedDouble taken: map over i
void scopedDouble(const double *x, const double *z, double *y, int n) {
  [[autokernel]] for (int i = 0; i < n; ++i)
    y[i] =
      std::sqrt(x[i]) + std::cbrt(x[i]) + std::exp(x[i]) + std::exp2(x[i]) +
      std::expm1(x[i]) + std::log(x[i]) + std::log2(x[i]) + std::log10(x[i]) +
      std::log1p(x[i]) + std::sin(x[i]) + std::cos(x[i]) + std::tan(x[i]) +
      std::asin(x[i]) + std::acos(x[i]) + std::atan(x[i]) + std::sinh(x[i]) +
      std::cosh(x[i]) + std::tanh(x[i]) + std::asinh(x[i]) + std::acosh(x[i]) +
      std::atanh(x[i]) + std::erf(x[i]) + std::erfc(x[i]) + std::tgamma(x[i]) +
      std::lgamma(x[i]) + std::fabs(x[i]) + std::floor(x[i]) + std::ceil(x[i]) +
      std::trunc(x[i]) + std::round(x[i]) + std::rint(x[i]) + std::nearbyint(x[i]) +
      std::pow(x[i], z[i]) + std::atan2(x[i], z[i]) + std::hypot(x[i], z[i]) +
      std::fmin(x[i], z[i]) + std::fmax(x[i], z[i]) + std::fdim(x[i], z[i]) +
      std::fmod(x[i], z[i]) + std::remainder(x[i], z[i]) + std::copysign(x[i], z[i]) +
      std::fma(x[i], z[i], 2) + std::abs(x[i]);
}

// CHECK: suffixed taken: map over i
void suffixed(const float *x, const float *z, float *y, int n) {
  [[autokernel]] for (int i = 0; i < n; ++i)
    y[i] =
      sqrtf(x[i]) + cbrtf(x[i]) + expf(x[i]) + exp2f(x[i]) + expm1f(x[i]) + logf(x[i]) +
      log2f(x[i]) + log10f(x[i]) + log1pf(x[i]) + sinf(x[i]) + cosf(x[i]) + tanf(x[i]) +
      asinf(x[i]) + acosf(x[i]) + atanf(x[i]) + sinhf(x[i]) + coshf(x[i]) + tanhf(x[i]) +
      asinhf(x[i]) + acoshf(x[i]) + atanhf(x[i]) + erff(x[i]) + erfcf(x[i]) +
      tgammaf(x[i]) + lgammaf(x[i]) + fabsf(x[i]) + floorf(x[i]) + ceilf(x[i]) +
      truncf(x[i]) + roundf(x[i]) + rintf(x[i]) + nearbyintf(x[i]) + powf(x[i], z[i]) +
      atan2f(x[i], z[i]) + hypotf(x[i], z[i]) + fminf(x[i], z[i]) + fmaxf(x[i], z[i]) +
      fdimf(x[i], z[i]) + fmodf(x[i], z[i]) + remainderf(x[i], z[i]) + copysignf(x[i],
      z[i]) + fmaf(x[i], z[i], 2);
}

// CHECK: plain taken: map over i
void plain(const double *x, const double *z, double *y, int n) {
  [[autokernel]] for (int i = 0; i < n; ++i)
    y[i] =
      sqrt(x[i]) + cbrt(x[i]) + exp(x[i]) + exp2(x[i]) + expm1(x[i]) + log(x[i]) +
      log2(x[i]) + log10(x[i]) + log1p(x[i]) + sin(x[i]) + cos(x[i]) + tan(x[i]) +
      asin(x[i]) + acos(x[i]) + atan(x[i]) + sinh(x[i]) + cosh(x[i]) + tanh(x[i]) +
      asinh(x[i]) + acosh(x[i]) + atanh(x[i]) + erf(x[i]) + erfc(x[i]) + tgamma(x[i]) +
      lgamma(x[i]) + fabs(x[i]) + floor(x[i]) + ceil(x[i]) + trunc(x[i]) + round(x[i]) +
      rint(x[i]) + nearbyint(x[i]) + pow(x[i], z[i]) + atan2(x[i], z[i]) + hypot(x[i],
      z[i]) + fmin(x[i], z[i]) + fmax(x[i], z[i]) + fdim(x[i], z[i]) + fmod(x[i], z[i]) +
      remainder(x[i], z[i]) + copysign(x[i], z[i]) + fma(x[i], z[i], 2) + abs(x[i]);
}

// CHECK: builtin taken: map over i
void builtin(const double *x, const double *z, double *y, int n) {
  [[autokernel]] for (int i = 0; i < n; ++i)
    y[i] =
      __builtin_sqrt(x[i]) + __builtin_cbrt(x[i]) + __builtin_exp(x[i]) +
      __builtin_exp2(x[i]) + __builtin_expm1(x[i]) + __builtin_log(x[i]) +
      __builtin_log2(x[i]) + __builtin_log10(x[i]) + __builtin_log1p(x[i]) +
      __builtin_sin(x[i]) + __builtin_cos(x[i]) + __builtin_tan(x[i]) +
      __builtin_asin(x[i]) + __builtin_acos(x[i]) + __builtin_atan(x[i]) +
      __builtin_sinh(x[i]) + __builtin_cosh(x[i]) + __builtin_tanh(x[i]) +
      __builtin_asinh(x[i]) + __builtin_acosh(x[i]) + __builtin_atanh(x[i]) +
      __builtin_erf(x[i]) + __builtin_erfc(x[i]) + __builtin_tgamma(x[i]) +
      __builtin_lgamma(x[i]) + __builtin_fabs(x[i]) + __builtin_floor(x[i]) +
      __builtin_ceil(x[i]) + __builtin_trunc(x[i]) + __builtin_round(x[i]) +
      __builtin_rint(x[i]) + __builtin_nearbyint(x[i]) + __builtin_pow(x[i], z[i]) +
      __builtin_atan2(x[i], z[i]) + __builtin_hypot(x[i], z[i]) + __builtin_fmin(x[i],
      z[i]) + __builtin_fmax(x[i], z[i]) + __builtin_fdim(x[i], z[i]) +
      __builtin_fmod(x[i], z[i]) + __builtin_remainder(x[i], z[i]) +
      __builtin_copysign(x[i], z[i]) + __builtin_fma(x[i], z[i], 2);
}
