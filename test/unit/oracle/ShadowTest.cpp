// The twin's values, magnitudes and errors against calculations by hand.
#include "OracleFixture.h"
#include <cmath>
#include <random>

using namespace autokernel;
using namespace autokernel::test;

namespace {

/// Expressions of x, y (type T) into r[0], r[1], ...
std::string expressions(std::string Type, std::vector<std::string> Texts) {
  std::string Result =
      "#include <cmath>\n#include <algorithm>\nusing namespace std;\n"
      "using T = " +
      Type +
      ";\nextern \"C\" void autokernel_reference_call(void **a) {\n"
      "  T x = *(T *)a[0], y = *(T *)a[1], *r = *(T **)a[2];\n";
  for (const std::string &Text : Texts)
    Result += "  *r++ = " + Text + ";\n";
  return Result + "}\n";
}

template <class T> std::string typeName() {
  return sizeof(T) == 4 ? "float" : "double";
}

template <class T>
std::vector<TwinValue> evaluateAll(std::vector<std::string> Texts, T X, T Y) {
  auto O = build(expressions(typeName<T>(), Texts));
  std::vector<T> Results(Texts.size());
  std::vector<TwinValue> Values(Texts.size());
  if (!O)
    return Values;
  T *R = Results.data();
  call(O->twin(ReferenceEntry), X, Y, R);
  EXPECT_TRUE(O->incomplete().empty()) << O->incomplete().front();
  for (size_t I = 0; I < Texts.size(); ++I)
    Values[I] = O->shadowOf(&Results[I], sizeof(T));
  return Values;
}

template <class T> TwinValue evaluate(std::string Text, T X, T Y) {
  return evaluateAll<T>({Text}, X, Y)[0];
}

TEST(Shadow, FloatArithmetic) {
  float X = 0.1f, Y = 3.7f;
  TwinValue V = evaluate<float>("x * y + x", X, Y);
  ASSERT_TRUE(V.Known);
  EXPECT_EQ(double(V.Value), double(X) * Y + double(X));
  EXPECT_EQ(V.Magnitude, double(X) * Y + double(X));
  EXPECT_GT(V.Error, 0x1p-24 * V.Magnitude);
  EXPECT_LT(V.Error, 0x1p-23 * V.Magnitude);
}

TEST(Shadow, CancellationKeepsTheMagnitude) {
  TwinValue V = evaluate<float>("(x + y) - x", 1e8f, 1.0f);
  EXPECT_EQ(double(V.Value), 1.0);
  EXPECT_EQ(V.Magnitude, 2e8 + 1);
  EXPECT_GT(V.Error, 2e8 * 0x1p-24);
}

TEST(Shadow, DoubleIsLongDouble) {
  double X = 1.0 / 3, Y = 1e-3;
  TwinValue V = evaluate<double>("x / y - y * x", X, Y);
  long double Lx = X, Ly = Y;
  EXPECT_EQ(V.Value, Lx / Ly - Ly * Lx);
}

TEST(Shadow, HugeAndTinyDoublesKeepTheirError) {
  TwinValue Huge = evaluate<double>("x + y", 1e300, 1e299);
  EXPECT_NEAR(Huge.Error / 1.1e300, 0x1p-53, 0x1p-60);
  TwinValue Tiny = evaluate<double>("x + y", 1e-300, 1e-301);
  EXPECT_NEAR(Tiny.Error / 1.1e-300, 0x1p-53, 0x1p-60);
}

TEST(Shadow, CopiesAndChoicesAreExact) {
  std::vector<std::string> Texts = {"x",
                                    "std::max(x, y)",
                                    "fminf(x, y)",
                                    "x < y ? x : y",
                                    "fabsf(x)",
                                    "-x",
                                    "2.5f",
                                    "floorf(y)",
                                    "copysignf(x, y)",
                                    "(float)(double)x"};
  auto Values = evaluateAll<float>(Texts, -1.25f, 3.7f);
  for (size_t I = 0; I < Texts.size(); ++I) {
    EXPECT_TRUE(Values[I].Known) << Texts[I];
    EXPECT_EQ(Values[I].Error, 0) << Texts[I];
  }
}

TEST(Shadow, InfinityCarriesNoError) {
  for (TwinValue V : evaluateAll<float>(
           {"expf(-INFINITY - x)", "1 / (INFINITY * x)", "tanhf(x + INFINITY)"},
           0.5f, 1.0f))
    EXPECT_TRUE(V.Known && std::isfinite(V.Error) &&
                std::isfinite(V.Magnitude));
}

struct MathCase {
  const char *Float, *Double;
  long double (*Expected)(long double X, long double Y);
};

const MathCase MathCases[] = {
    {"sqrtf(x)", "sqrt(x)",
     [](long double X, long double) { return std::sqrt(X); }},
    {"expf(x)", "exp(x)",
     [](long double X, long double) { return std::exp(X); }},
    {"exp2f(x)", "exp2(x)",
     [](long double X, long double) { return std::exp2(X); }},
    {"logf(x)", "std::log(x)",
     [](long double X, long double) { return std::log(X); }},
    {"log1pf(x)", "log1p(x)",
     [](long double X, long double) { return std::log1p(X); }},
    {"powf(x, y)", "pow(x, y)",
     [](long double X, long double Y) { return std::pow(X, Y); }},
    {"sinf(x)", "std::sin(x)",
     [](long double X, long double) { return std::sin(X); }},
    {"cosf(x)", "cos(x)",
     [](long double X, long double) { return std::cos(X); }},
    {"tanhf(x)", "tanh(x)",
     [](long double X, long double) { return std::tanh(X); }},
    {"erff(x)", "erf(x)",
     [](long double X, long double) { return std::erf(X); }},
    {"cbrtf(x)", "cbrt(x)",
     [](long double X, long double) { return std::cbrt(X); }},
    {"atan2f(x, y)", "atan2(x, y)",
     [](long double X, long double Y) { return std::atan2(X, Y); }},
    {"hypotf(x, y)", "hypot(x, y)",
     [](long double X, long double Y) { return std::hypot(X, Y); }},
    {"fmodf(y, x)", "fmod(y, x)",
     [](long double X, long double Y) { return std::fmod(Y, X); }},
    {"fmaf(x, y, x)", "fma(x, y, x)",
     [](long double X, long double Y) { return X * Y + X; }},
    {"ldexpf(x, 3)", "ldexp(x, 3)",
     [](long double X, long double) { return X * 8; }},
    {"tgammaf(x)", "tgamma(x)",
     [](long double X, long double) { return std::tgamma(X); }},
};

TEST(Shadow, MathFunctions) {
  double X = 0.7, Y = 2.3;
  float Xf = X, Yf = Y;
  std::vector<std::string> Floats, Doubles;
  for (const MathCase &C : MathCases) {
    Floats.push_back(C.Float);
    Doubles.push_back(C.Double);
  }
  auto InFloat = evaluateAll<float>(Floats, Xf, Yf);
  auto InDouble = evaluateAll<double>(Doubles, X, Y);
  for (size_t I = 0; I < Floats.size(); ++I) {
    const MathCase &C = MathCases[I];
    TwinValue F = InFloat[I], D = InDouble[I];
    double Expected = double(C.Expected(Xf, Yf));
    EXPECT_NEAR(double(F.Value), Expected, 1e-14) << C.Float;
    EXPECT_GT(F.Error, 0) << C.Float;
    EXPECT_LT(F.Error, 12 * 0x1p-24 * std::abs(Expected)) << C.Float;
    EXPECT_NEAR(double(D.Value - C.Expected(X, Y)), 0, 1e-17) << C.Double;
    EXPECT_LT(D.Error, 11 * 0x1p-53 * std::abs(Expected)) << C.Double;
  }
}

TEST(Shadow, SinCosWritesBoth) {
  TwinValue V = evaluate<float>(
      "[&] { float s, c; sincosf(x, &s, &c); return s + 2 * c; }()", 0.7f, 0.f);
  EXPECT_NEAR(double(V.Value),
              std::sin(double(0.7f)) + 2 * std::cos(double(0.7f)), 1e-15);
}

TEST(Shadow, UnknownFunctionIsReported) {
  auto O = build(expressions("double", {"j0(x)"}));
  double X = 1, Y = 0, Result = 0, *R = &Result;
  call(O->twin(ReferenceEntry), X, Y, R);
  ASSERT_EQ(O->incomplete().size(), 1u);
  EXPECT_EQ(O->incomplete().front(), "j0");
  O->forget();
  EXPECT_TRUE(O->incomplete().empty());
}

TEST(Shadow, ChangedMemoryLosesItsShadow) {
  auto O = build(expressions("float", {"x + y"}));
  float X = 0.1f, Y = 0.2f, Result = 0, *R = &Result;
  call(O->twin(ReferenceEntry), X, Y, R);
  EXPECT_TRUE(O->shadowOf(R, 4).Known);
  EXPECT_FALSE(O->shadowOf(R, 8).Known);
  Result += 1;
  EXPECT_FALSE(O->shadowOf(R, 4).Known);
  Result = X + Y;
  EXPECT_TRUE(O->shadowOf(R, 4).Known);
  O->forget();
  EXPECT_FALSE(O->shadowOf(R, 4).Known);
}

TEST(Shadow, GoesThroughRecursionPointersStructsAndCopies) {
  const char *Text = R"(
#include <cstring>
#include <complex>
#include <vector>
struct Pair { float a, b; };
static float power(float x, int n) { return n == 0 ? 1.0f : x * power(x, n - 1); }
static float twice(float x) { return x + x; }
static float (*volatile chosen)(float) = twice;
__attribute__((noinline)) static Pair swap(Pair p) { return {p.b, p.a}; }
extern "C" void autokernel_reference_call(void **a) {
  float x = *(float *)a[0]; float *r = *(float **)a[1];
  r[0] = power(x, 5);
  r[1] = chosen(x * x);
  Pair p = swap({x * x, x + 1});
  r[2] = p.b;
  float t[2] = {x * x, x}; std::memcpy(r + 3, t, 8);
  std::complex<float> z(x, x * x); z = z * z / std::complex<float>(2, 1);
  r[5] = z.real();
  std::vector<float> v; for (int i = 0; i < 9; i++) v.push_back(x * x);
  r[6] = v[0];
}
)";
  auto O = build(Text, {"-std=c++20"});
  ASSERT_TRUE(O);
  float X = 1.1f, Result[7] = {}, *R = Result;
  call(O->twin(ReferenceEntry), X, R);
  double D = X, Expected[] = {D * D * D * D * D, 2 * D * D, D * D, D * D, D,
                              // (x + i x^2)^2 / (2 + i), real part
                              (2 * (D * D - D * D * D * D) + 2 * D * D * D) / 5,
                              D * D};
  for (int I = 0; I < 7; ++I) {
    TwinValue V = O->shadowOf(&Result[I], 4);
    EXPECT_TRUE(V.Known) << I;
    EXPECT_NEAR(double(V.Value), Expected[I], 1e-13) << I;
  }
  for (const std::string &Name : O->incomplete())
    ADD_FAILURE() << Name;
}

TEST(Shadow, HalfPrecision) {
  const char *Text = R"(
extern "C" void autokernel_reference_call(void **a) {
  _Float16 *x = *(_Float16 **)a[0], *r = *(_Float16 **)a[1];
  __bf16 *b = *(__bf16 **)a[2];
  for (int i = 0; i < 4; i++) r[i] = x[i] * x[i] + x[i];
  b[0] = (__bf16)((float)x[0] / 3);
})";
  auto O = build(Text);
  ASSERT_TRUE(O);
  uint16_t X[4] = {0x3c01, 0x3555, 0xc000, 0x0001}, Result[4] = {}, Brain = 0;
  uint16_t *Px = X, *Pr = Result, *Pb = &Brain;
  call(O->native(ReferenceEntry), Px, Pr, Pb);
  call(O->twin(ReferenceEntry), Px, Pr, Pb);
  TwinValue V = O->shadowOf(&Result[0], 2);
  double One = 1 + 0x1p-10;
  ASSERT_TRUE(V.Known);
  EXPECT_EQ(double(V.Value), One * One + One);
  EXPECT_NEAR(V.Error, 0x1p-11 * V.Magnitude, 0x1p-14);
  TwinValue B = O->shadowOf(&Brain, 2);
  ASSERT_TRUE(B.Known);
  EXPECT_NEAR(double(B.Value), One / 3, 1e-12);
}

} // namespace
