// Runs the layers and checks what must hold for them, or recomputes single
// elements in double precision.
#include "layers.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

using Array = std::vector<float>;

static const int B = 2, T = 96, C = 128, NH = 4, OC = 3 * C;
static int failures = 0;

static Array pseudoRandom(size_t n, unsigned seed) {
  Array a(n);
  for (float &x : a) {
    seed = seed * 1664525u + 1013904223u;
    x = float(seed >> 8) / float(1 << 23) - 1;
  }
  return a;
}

static void report(const char *name, double error, double bound) {
  bool good = error <= bound; // false for NaN
  failures += !good;
  std::printf("%-10s error %.2e  %s\n", name, error, good ? "good" : "WRONG");
}

static void checkLayernorm(const Array &x) {
  Array weight(C, 1), bias(C, 0), out(x.size()), mean(B * T), rstd(B * T);
  layernorm(B, T, C, x.data(), weight.data(), bias.data(), out.data(),
            mean.data(), rstd.data());
  double error = 0;
  for (int r = 0; r < B * T; ++r) {
    double sum = 0, squares = 0;
    for (int i = 0; i < C; ++i) {
      sum += out[r * C + i];
      squares += double(out[r * C + i]) * out[r * C + i];
    }
    error = std::max({error, std::fabs(sum / C), std::fabs(squares / C - 1)});
  }
  report("layernorm", error, 1e-3);
}

static void checkMatmul(const Array &x) {
  Array weight = pseudoRandom(OC * C, 2), bias = pseudoRandom(OC, 3);
  Array out(B * T * OC), plain(B * T * OC);
  matmul(B, T, C, OC, x.data(), weight.data(), bias.data(), out.data());
  matmul(B, T, C, OC, x.data(), weight.data(), nullptr, plain.data());
  double error = 0;
  for (int r = 0; r < B * T; r += 7)
    for (int o = 0; o < OC; o += 5) {
      double sum = 0;
      for (int i = 0; i < C; ++i)
        sum += double(x[r * C + i]) * weight[o * C + i];
      error = std::max(error, std::fabs(plain[r * OC + o] - sum));
      error = std::max(error, std::fabs(out[r * OC + o] - sum - bias[o]));
    }
  report("matmul", error, 1e-4);
}

static void checkGelu(const Array &x) {
  Array out(x.size());
  gelu(int(x.size()), x.data(), out.data());
  double error = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    double v = x[i], inner = 0.7978845608 * (v + 0.044715 * v * v * v);
    error =
        std::max(error, std::fabs(out[i] - 0.5 * v * (1 + std::tanh(inner))));
  }
  report("gelu", error, 1e-6);
}

static void checkSoftmax(const Array &x) {
  Array out(x.size());
  softmax(B * T, C, x.data(), out.data());
  double error = 0;
  for (int r = 0; r < B * T; ++r) {
    double sum = 0;
    for (int c = 0; c < C; ++c)
      sum += std::exp(double(x[r * C + c]));
    for (int c = 0; c < C; ++c)
      error = std::max(error, std::fabs(out[r * C + c] -
                                        std::exp(double(x[r * C + c])) / sum));
  }
  report("softmax", error, 1e-6);
}

static void checkAttention() {
  Array x = pseudoRandom(B * T * 3 * C, 5), att(B * NH * T * T, 7),
        out(B * T * C);
  attention(B, T, C, NH, x.data(), att.data(), out.data());
  double error = 0;
  for (int row = 0; row < B * NH * T; ++row) { // weights of the past sum to 1
    double sum = 0;
    for (int u = 0; u < T; ++u)
      sum += u <= row % T ? att[row * T + u] : std::fabs(att[row * T + u]) * T;
    error = std::max(error, std::fabs(sum - 1));
  }
  for (int i = 0; i < C; ++i) // the first position sees its own value only
    error = std::max(error, std::fabs(double(out[i]) - x[2 * C + i]));
  report("attention", error, 1e-5);
}

int main() {
  Array x = pseudoRandom(B * T * C, 1);
  checkLayernorm(x);
  checkMatmul(x);
  checkGelu(x);
  checkSoftmax(x);
  checkAttention();
  return failures != 0;
}
