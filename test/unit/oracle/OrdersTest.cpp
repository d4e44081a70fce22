// The constants of the bound, held against sums of every order over inputs of
// every kind: none may come near the bound.
#include "OracleFixture.h"
#include <cmath>
#include <random>

using namespace autokernel;
using namespace autokernel::test;

namespace {

using Values = std::vector<float>;

float tree(const float *X, size_t N) {
  if (N < 2)
    return N ? X[0] : 0;
  return tree(X, N / 2) + tree(X + N / 2, N - N / 2);
}

/// Threads that stride over the terms, then a tree.
float strided(const Values &T, size_t Lanes) {
  Values P(Lanes);
  for (size_t I = 0; I < T.size(); ++I)
    P[I % Lanes] += T[I];
  return tree(P.data(), Lanes);
}

float chunked(const Values &T, size_t Chunks) {
  Values P(Chunks);
  size_t Size = (T.size() + Chunks - 1) / Chunks;
  for (size_t I = 0; I < T.size(); ++I)
    P[I / Size] += T[I];
  return tree(P.data(), Chunks);
}

float backwards(const Values &T) {
  float S = 0;
  for (size_t I = T.size(); I--;)
    S += T[I];
  return S;
}

Values regime(int Which, size_t N, std::mt19937 &G) {
  std::uniform_real_distribution<float> D(-1, 1);
  Values X(N);
  for (size_t I = 0; I < N; ++I) {
    float V = D(G);
    switch (Which) {
    case 0:
      X[I] = V;
      break;
    case 1:
      X[I] = std::abs(V);
      break;
    case 2:
      X[I] = std::ldexp(V, int(G() % 40) - 20);
      break;
    case 3:
      X[I] = I % 2 ? -0.1f : 0.1f;
      break;
    case 4:
      X[I] = 0.1f;
      break;
    case 5:
      X[I] = I % 2 ? -X[I - 1] : 1e4f * V;
      break;
    case 6:
      X[I] = float(I) / N - 0.5f;
      break;
    case 7:
      X[I] = V * 1e-38f;
      break;
    case 8:
      X[I] = I % 100 ? V : 1e6f * V;
      break;
    case 9:
      X[I] = I < N / 2 ? std::abs(V) : -std::abs(V);
      break;
    }
  }
  return X;
}

TEST(Orders, NoOrderOfASumComesNearTheBound) {
  auto O = build("extern \"C\" void autokernel_reference_call(void **a) {\n"
                 "  int n = *(int *)a[0]; float *x = *(float **)a[1], s = 0;\n"
                 "  for (int i = 0; i < n; i++) s += x[i] * 1.1f;\n"
                 "  **(float **)a[2] = s; }");
  ASSERT_TRUE(O);
  std::mt19937 G(1);
  double Worst = 0;
  for (int Which = 0; Which < 10; ++Which)
    for (int N : {1, 2, 3, 31, 33, 257, 4099, 50021}) {
      Values X = regime(Which, N, G), Terms(N);
      for (int I = 0; I < N; ++I)
        Terms[I] = X[I] * 1.1f;
      float Loop = 0, Twin = 0, *Px = X.data(), *Pl = &Loop, *Pt = &Twin;
      O->forget();
      call(O->native(ReferenceEntry), N, Px, Pl);
      call(O->twin(ReferenceEntry), N, Px, Pt);
      for (float Got :
           {tree(Terms.data(), N), strided(Terms, 2), strided(Terms, 32),
            strided(Terms, 256), chunked(Terms, 64), backwards(Terms)}) {
        CompareResult R = judge(*O, Got, Loop, Twin);
        EXPECT_TRUE(R.accepted()) << Which << " " << N;
        if (R.Bound > 0)
          Worst = std::max(Worst, R.Distance / R.Bound);
      }
    }
  EXPECT_LT(Worst, 0.6);
  RecordProperty("percent_of_bound", int(100 * Worst));
}

} // namespace
