#include "verify/oracle/TwinAbi.h"
#include <cmath>
#include <limits>
#include <numbers>

namespace autokernel {
namespace {

/// A function's value and its derivative by its argument.
template <class T> struct Tangent { T F, D; };

template <class T> struct Gradient { T F, D1, D2; };

template <class T, class Fn> Tangent<T> numeric(Fn F, T X) {
  T H = T(1e-5) * std::max(std::abs(X), T(1));
  return {F(X), (F(X + H) - F(X - H)) / (2 * H)};
}

template <class T> Tangent<T> evaluate1(TwinFunction Fn, T X) {
  constexpr T Ln2 = std::numbers::ln2_v<T>, Ln10 = std::numbers::ln10_v<T>;
  constexpr T TwoBySqrtPi = 2 * std::numbers::inv_sqrtpi_v<T>;
  T F;
  using enum TwinFunction;
  switch (Fn) {
  case sqrt:
    F = std::sqrt(std::max(X, T(0)));
    return {F, 1 / (2 * F)};
  case cbrt:
    F = std::cbrt(X);
    return {F, 1 / (3 * F * F)};
  case exp:
    F = std::exp(X);
    return {F, F};
  case exp2:
    F = std::exp2(X);
    return {F, F * Ln2};
  case exp10:
    F = std::pow(T(10), X);
    return {F, F * Ln10};
  case expm1:
    F = std::expm1(X);
    return {F, F + 1};
  case log:
    return {std::log(X), 1 / X};
  case log2:
    return {std::log2(X), 1 / (X * Ln2)};
  case log10:
    return {std::log10(X), 1 / (X * Ln10)};
  case log1p:
    return {std::log1p(X), 1 / (1 + X)};
  case sin:
    return {std::sin(X), std::cos(X)};
  case cos:
    return {std::cos(X), -std::sin(X)};
  case tan:
    F = std::tan(X);
    return {F, 1 + F * F};
  case asin:
    return {std::asin(X), 1 / std::sqrt(1 - X * X)};
  case acos:
    return {std::acos(X), -1 / std::sqrt(1 - X * X)};
  case atan:
    return {std::atan(X), 1 / (1 + X * X)};
  case sinh:
    return {std::sinh(X), std::cosh(X)};
  case cosh:
    return {std::cosh(X), std::sinh(X)};
  case tanh:
    F = std::tanh(X);
    return {F, 1 - F * F};
  case asinh:
    return {std::asinh(X), 1 / std::sqrt(1 + X * X)};
  case acosh:
    return {std::acosh(X), 1 / std::sqrt(X * X - 1)};
  case atanh:
    return {std::atanh(X), 1 / (1 - X * X)};
  case erf:
    return {std::erf(X), TwoBySqrtPi * std::exp(-X * X)};
  case erfc:
    return {std::erfc(X), -TwoBySqrtPi * std::exp(-X * X)};
  case tgamma:
    return numeric<T>([](T V) { return std::tgamma(V); }, X);
  case lgamma:
    return numeric<T>([](T V) { return std::lgamma(V); }, X);
  default:
    break;
  }
  T NaN = std::numeric_limits<T>::quiet_NaN();
  return {NaN, NaN};
}

/// x - n*y with the integer n that the native computation found.
template <class T> Gradient<T> moduloLike(T X, T Y, T Native) {
  T N = std::round((X - Native) / Y);
  return {X - N * Y, T(1), -N};
}

template <class T> Gradient<T> evaluate2(TwinFunction Fn, T Native, T X, T Y) {
  T F;
  using enum TwinFunction;
  switch (Fn) {
  case pow:
    F = std::pow(X, Y);
    return {F, Y == 0 ? T(0) : Y * std::pow(X, Y - 1),
            X > 0 ? F * std::log(X) : T(0)};
  case atan2:
    F = X * X + Y * Y;
    return {std::atan2(X, Y), Y / F, -X / F};
  case hypot:
    F = std::hypot(X, Y);
    return {F, F == 0 ? T(1) : X / F, F == 0 ? T(1) : Y / F};
  case fmod:
  case remainder:
    return moduloLike(X, Y, Native);
  case fdim:
    return Native > 0 ? Gradient<T>{X - Y, 1, -1} : Gradient<T>{0, 0, 0};
  case ldexp:
    F = std::ldexp(T(1), int(Y));
    return {X * F, F, 0};
  default:
    break;
  }
  T NaN = std::numeric_limits<T>::quiet_NaN();
  return {NaN, NaN, NaN};
}

constexpr double budgetUlp(TwinFunction Fn, FloatKind Kind) {
  constexpr double Budget[][2] = {
#define FUNCTION1(Name, FloatUlp, DoubleUlp) {FloatUlp, DoubleUlp},
#define FUNCTION2(Name, FloatUlp, DoubleUlp) {FloatUlp, DoubleUlp},
#include "verify/oracle/TwinFunctions.def"
  };
  return Budget[unsigned(Fn)][Kind >= FloatKind::Double];
}

/// 0 * inf is 0 here: an argument without error has none in the result.
template <class T> T scaled(T Derivative, T By) {
  return By == 0 || Derivative == 0 ? T(0) : std::abs(Derivative) * By;
}

template <class T> T settledError(FloatKind Kind, const Shadow<T> &A) {
  return std::sqrt(A.SquaredError + reorderError2(Kind, A.Value, A.Magnitude));
}

/// Adds the function's own rounding; infinite and NaN results are exact facts
/// that comparisons treat by rule, so that they carry no error onwards.
template <class T>
Shadow<T> finish(TwinFunction Fn, FloatKind Kind, T Native, T F, T E2) {
  if (!std::isfinite(Native))
    return {F, 0, 0};
  if (!std::isfinite(F))
    return {Native, std::abs(Native), std::numeric_limits<T>::infinity()};
  T U = unitRoundoff(Kind), Eta = smallestDenormal(Kind);
  T Own = T(budgetUlp(Fn, Kind)) * U * std::abs(F);
  return {F, std::abs(F), E2 + Own * Own + Eta * Eta};
}

template <class T>
Shadow<T> math1(TwinFunction Fn, FloatKind Kind, T Native, Shadow<T> A) {
  Tangent<T> R = evaluate1(Fn, A.Value);
  T Argument = settledError(Kind, A), E = scaled(R.D, Argument);
  if (Fn == TwinFunction::sqrt) // the derivative is no bound near zero
    E = std::min(E, std::sqrt(Argument));
  return finish(Fn, Kind, Native, R.F, E * E);
}

template <class T>
Shadow<T> math2(TwinFunction Fn, FloatKind Kind, T Native, Shadow<T> A,
                Shadow<T> B) {
  Gradient<T> R = evaluate2(Fn, Native, A.Value, B.Value);
  T E1 = scaled(R.D1, settledError(Kind, A));
  T E2 = scaled(R.D2, settledError(Kind, B));
  return finish(Fn, Kind, Native, R.F, E1 * E1 + E2 * E2);
}

template <class T> const Shadow<T> *kept(Shadow<T> S) {
  static Shadow<T> Last;
  Last = S;
  return &Last;
}

} // namespace
} // namespace autokernel

using namespace autokernel;

const Shadow<double> *autokernel_twin_math1_d(uint32_t Fn, uint32_t Kind,
                                              double Native, double V, double M,
                                              double E2) {
  return kept(
      math1<double>(TwinFunction(Fn), FloatKind(Kind), Native, {V, M, E2}));
}

const Shadow<long double> *autokernel_twin_math1_x(uint32_t Fn, uint32_t Kind,
                                                   long double Native,
                                                   long double V, long double M,
                                                   long double E2) {
  return kept(math1<long double>(TwinFunction(Fn), FloatKind(Kind), Native,
                                 {V, M, E2}));
}

const Shadow<double> *autokernel_twin_math2_d(uint32_t Fn, uint32_t Kind,
                                              double Native, double V1,
                                              double M1, double E1, double V2,
                                              double M2, double E2) {
  return kept(math2<double>(TwinFunction(Fn), FloatKind(Kind), Native,
                            {V1, M1, E1}, {V2, M2, E2}));
}

const Shadow<long double> *
autokernel_twin_math2_x(uint32_t Fn, uint32_t Kind, long double Native,
                        long double V1, long double M1, long double E1,
                        long double V2, long double M2, long double E2) {
  return kept(math2<long double>(TwinFunction(Fn), FloatKind(Kind), Native,
                                 {V1, M1, E1}, {V2, M2, E2}));
}
