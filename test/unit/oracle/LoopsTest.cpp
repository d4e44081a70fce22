// Whole loops: honest kernels of another order within the bound, wrong and
// less precise ones outside, the loop itself always inside.
#include "OracleFixture.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <chrono>
#include <cmath>
#include <random>

using namespace autokernel;
using namespace autokernel::test;

namespace {

template <class T> using Array = std::vector<T>;

std::string reference(std::string Type, std::string Body) {
  return "#include <cmath>\n#include <algorithm>\nusing T = " + Type +
         ";\nextern \"C\" void autokernel_reference_call(void **args) {\n"
         "  int n = *(int *)args[0]; const T *x = *(T **)args[1];\n"
         "  const T *y = *(T **)args[2]; T *r = *(T **)args[3];\n" +
         Body + "\n}\n";
}

/// A loop over x and y into r, with its results in every form.
template <class T> struct Trial {
  std::unique_ptr<Oracle> O;
  Array<T> Loop, LoopO0, Twin;

  Trial(std::string Body, const char *Type) : O(build(reference(Type, Body))) {}

  void operator()(Array<T> &X, Array<T> &Y, size_t Results) {
    int N = X.size();
    T *Px = X.data(), *Py = Y.data();
    auto Call = [&](void *Function, Array<T> &R) {
      R.assign(Results, 0);
      T *Pr = R.data();
      call(Function, N, Px, Py, Pr);
    };
    O->forget();
    Call(O->native(ReferenceEntry), Loop);
    Call(O->nativeO0(ReferenceEntry), LoopO0);
    Call(O->twin(ReferenceEntry), Twin);
  }

  CompareResult judgeElement(double Got, size_t I = 0) {
    return judge(*O, Got, Loop[I], Twin[I]);
  }
  bool accepts(double Got, size_t I = 0) {
    return judgeElement(Got, I).accepted();
  }
};

template <class T> T treeSum(const T *X, size_t N) {
  if (N <= 8) {
    T S = 0;
    for (size_t I = 0; I < N; ++I)
      S += X[I];
    return S;
  }
  return treeSum(X, N / 2) + treeSum(X + N / 2, N - N / 2);
}

/// As a conversion to half does, within half's normal range.
float toHalf(float V) {
  int E;
  float M = std::frexp(V, &E);
  return std::ldexp(std::nearbyint(M * 0x1p11f) * 0x1p-11f, E);
}

Array<float> randoms(size_t N, unsigned Seed, float Low = -1, float High = 1) {
  std::mt19937 G(Seed);
  std::uniform_real_distribution<float> D(Low, High);
  Array<float> R(N);
  for (float &V : R)
    V = D(G);
  return R;
}

TEST(Loops, SaxpyFusedOrNot) {
  Trial<float> R("for (int i = 0; i < n; i++) r[i] = 0.3f * x[i] + y[i];",
                 "float");
  Array<float> X = randoms(4000, 1), Y(4000);
  for (int I = 0; I < 4000; ++I) // half of them cancel
    Y[I] = I % 2 ? -0.3f * X[I] : X[I];
  R(X, Y, 4000);
  for (int I = 0; I < 4000; ++I) {
    EXPECT_TRUE(R.accepts(std::fma(0.3f, X[I], Y[I]), I));
    EXPECT_TRUE(R.accepts(0.3f * X[I] + Y[I], I));
    EXPECT_TRUE(R.accepts(R.LoopO0[I], I));
    EXPECT_FALSE(R.accepts(std::fma(0.3001f, X[I], Y[I]), I));
    EXPECT_FALSE(R.accepts(NAN, I));
  }
}

TEST(Loops, LongDotProduct) {
  const size_t N = 100000;
  Trial<float> R(
      "T s = 0; for (int i = 0; i < n; i++) s += x[i] * y[i]; r[0] = s;",
      "float");
  for (float Low : {0.f, -1.f}) {
    Array<float> X = randoms(N, 2, Low), Y = randoms(N, 3, Low), P(N);
    X[777] = 100;
    R(X, Y, 1);
    float Half = 0;
    for (size_t I = 0; I < N; ++I) {
      P[I] = X[I] * Y[I];
      Half = toHalf(Half + toHalf(toHalf(X[I]) * toHalf(Y[I])));
    }
    double Tree = treeSum(P.data(), N);
    EXPECT_TRUE(R.accepts(Tree));
    EXPECT_TRUE(R.accepts(R.LoopO0[0]));
    EXPECT_FALSE(R.accepts(Half));
    EXPECT_FALSE(R.accepts(Tree - P[777]));
    EXPECT_FALSE(R.accepts(0));
  }
}

TEST(Loops, DoubleReductionInFloatFails) {
  Trial<double> R(
      "T s = 0; for (int i = 0; i < n; i++) s += x[i] * x[i]; r[0] = s;",
      "double");
  for (size_t N : {1, 33, 1000, 50000}) {
    Array<double> X(N), Y(1), Squares(N);
    Array<float> Narrow(N);
    std::mt19937_64 G(N);
    for (size_t I = 0; I < N; ++I) {
      X[I] = std::normal_distribution<double>()(G);
      Squares[I] = X[I] * X[I];
      Narrow[I] = float(X[I]) * float(X[I]);
    }
    R(X, Y, 1);
    EXPECT_TRUE(R.accepts(treeSum(Squares.data(), N))) << N;
    EXPECT_FALSE(R.accepts(treeSum(Narrow.data(), N))) << N;
    EXPECT_FALSE(R.accepts(float(R.Loop[0]))) << N;
  }
}

const char Softmax[] = R"(
  T m = -INFINITY; for (int i = 0; i < n; i++) m = std::max(m, x[i]);
  T s = 0; for (int i = 0; i < n; i++) s += r[i] = std::exp(x[i] - m);
  for (int i = 0; i < n; i++) r[i] /= s;)";

TEST(Loops, Softmax) {
  Trial<float> R(Softmax, "float");
  for (float Scale : {1.f, 60.f}) {
    Array<float> X = randoms(1000, 5, -Scale, Scale), Y(1);
    R(X, Y, 1000);
    // Online: running maximum and rescaled sum.
    float M = -INFINITY, S = 0;
    for (float V : X) {
      float Next = std::max(M, V);
      S = S * std::exp(M - Next) + std::exp(V - Next);
      M = Next;
    }
    int HalfAccepted = 0;
    for (int I = 0; I < 1000; ++I) {
      float Good = std::exp(X[I] - M) * (1 / S);
      EXPECT_TRUE(R.accepts(Good, I)) << I;
      HalfAccepted += Good > 1e-20f && R.accepts(toHalf(Good), I);
    }
    EXPECT_LT(HalfAccepted, 200); // some are close by luck
  }
  Array<float> Masked = {-INFINITY, 1, 2, -INFINITY}, Y(1);
  R(Masked, Y, 4);
  EXPECT_TRUE(R.accepts(0, 0));
  EXPECT_FALSE(R.accepts(1e-30, 0));
  EXPECT_FALSE(R.accepts(NAN, 0));
}

const char LayerNorm[] = R"(
  T mean = 0; for (int i = 0; i < n; i++) mean += x[i]; mean /= n;
  T var = 0; for (int i = 0; i < n; i++) var += (x[i] - mean) * (x[i] - mean);
  T s = 1 / std::sqrt(var / n + T(1e-5));
  for (int i = 0; i < n; i++) r[i] = (x[i] - mean) * s * y[i];)";

TEST(Loops, LayerNormAndTheUnstableVariance) {
  Trial<float> R(LayerNorm, "float");
  const size_t N = 1024;
  for (float Mean : {0.f, 3000.f}) {
    Array<float> X = randoms(N, 7, Mean - 1, Mean + 1), Y = randoms(N, 8);
    R(X, Y, N);
    Array<float> Squares(N), Deviations(N);
    float M = treeSum(X.data(), N) / N;
    for (size_t I = 0; I < N; ++I) {
      Squares[I] = X[I] * X[I];
      Deviations[I] = (X[I] - M) * (X[I] - M);
    }
    float Good = 1 / std::sqrt(treeSum(Deviations.data(), N) / N + 1e-5f);
    float Naive =
        1 / std::sqrt(std::abs(treeSum(Squares.data(), N) / N - M * M) + 1e-5f);
    int NaiveAccepted = 0;
    for (size_t I = 0; I < N; ++I) {
      EXPECT_TRUE(R.accepts((X[I] - M) * Good * Y[I], I)) << I;
      NaiveAccepted += R.accepts((X[I] - M) * Naive * Y[I], I);
    }
    EXPECT_TRUE(Mean == 0 || NaiveAccepted < int(N) / 2) << NaiveAccepted;
  }
}

const char Gelu[] = R"(
  for (int i = 0; i < n; i++)
    r[i] = 0.5f * x[i] * (1 + std::tanh(0.7978845608f * (x[i] + 0.044715f * x[i] * x[i] * x[i])));)";

TEST(Loops, Gelu) {
  Trial<float> R(Gelu, "float");
  Array<float> X = randoms(2000, 9, -8, 8), Y(1);
  R(X, Y, 2000);
  int OtherConstant = 0;
  for (int I = 0; I < 2000; ++I) {
    float V = X[I], Cube = 0.044715f * V * V * V;
    float Fused = std::fma(0.7978845608f, V, 0.7978845608f * Cube);
    EXPECT_TRUE(R.accepts(0.5f * V * (1 + std::tanh(Fused)), I)) << V;
    OtherConstant +=
        !R.accepts(0.5f * V * (1 + std::tanh(0.797f * (V + Cube))), I);
  }
  EXPECT_GT(OtherConstant, 500);
}

TEST(Loops, BranchesFollowTheNativeValues) {
  Trial<float> R(
      "for (int i = 0; i < n; i++) {"
      "  if (x[i] > 0) r[i] = std::sqrt(x[i]); else r[i] = x[i] * y[i];"
      "  int k = (int)(x[i] * 4); if (k == 2) r[i] = -r[i]; }",
      "float");
  Array<float> X = randoms(500, 11), Y = randoms(500, 12);
  R(X, Y, 500);
  for (int I = 0; I < 500; ++I) {
    EXPECT_EQ(R.Loop[I], R.Twin[I]);
    EXPECT_TRUE(R.accepts(R.LoopO0[I], I));
    EXPECT_FALSE(R.accepts(-R.Loop[I], I));
  }
}

const char *const Bodies[] = {
    Softmax,
    LayerNorm,
    Gelu,
    "T s = 0; for (int i = 0; i < n; i++) r[i] = s += x[i] * y[i];",
    "for (int i = 0; i < n; i++) r[i] = x[i] / (y[i] - x[i]) + "
    "std::log(std::fabs(x[i]));",
    "for (int i = 1; i < n; i++) r[i] = std::pow(std::fabs(x[i]), y[i - 1]) * "
    "std::sin(x[i]);",
    "T a = 1; for (int i = 0; i < n; i++) { a = a * T(0.9) + x[i]; r[i] = a * "
    "a - y[i]; }"};

Array<float> regime(int Which, unsigned Seed) {
  Array<float> V = randoms(300, Seed);
  std::mt19937 G(Seed);
  for (size_t I = 0; I < V.size(); ++I)
    switch (Which) {
    case 1:
      V[I] = std::ldexp(V[I], int(G() % 60) - 30);
      break;
    case 2:
      V[I] = I % 2 ? -V[I - 1] : 1e4f * V[I];
      break;
    case 3:
      V[I] *= 1e-40f;
      break;
    case 4:
      V[I] *= 3e38f;
      break;
    }
  return V;
}

TEST(Loops, TheLoopIsWithinItsOwnBound) {
  for (const char *Body : Bodies) {
    Trial<float> R(Body, "float");
    for (int Which = 0; Which < 5; ++Which)
      for (unsigned Seed = 0; Seed < 4; ++Seed) {
        Array<float> X = regime(Which, 2 * Seed + 1),
                     Y = regime(Which, 2 * Seed);
        R(X, Y, X.size());
        for (size_t I = 0; I < X.size(); ++I) {
          EXPECT_TRUE(R.accepts(R.Loop[I], I)) << Body << Which << " " << I;
          EXPECT_TRUE(R.accepts(R.LoopO0[I], I)) << Body << Which << " " << I;
        }
      }
    EXPECT_TRUE(R.O->incomplete().empty()) << Body;
  }
}

TEST(Loops, Speed) {
  const size_t N = 1000000;
  Trial<float> R(
      "for (int i = 0; i < n; i++) r[i] = (x[i] * y[i] + 2) / (x[i] + 3);",
      "float");
  Array<float> X = randoms(N, 1), Y = randoms(N, 2), Out(N);
  int Count = N;
  float *Px = X.data(), *Py = Y.data(), *Pr = Out.data();
  auto Start = std::chrono::steady_clock::now();
  call(R.O->twin(ReferenceEntry), Count, Px, Py, Pr);
  std::chrono::duration<double> Took = std::chrono::steady_clock::now() - Start;
  RecordProperty("milliseconds", int(Took.count() * 1000));
  EXPECT_LT(Took.count(), 1.0);
}

} // namespace
