#include "layers.h"

#include <cmath>

void layernorm(int B, int T, int C, const float *inp, const float *weight,
               const float *bias, float *out, float *mean, float *rstd) {
  [[autokernel]]
  for (int b = 0; b < B; ++b) {
    for (int t = 0; t < T; ++t) {
      float m = 0.0f;
      for (int i = 0; i < C; ++i)
        m += inp[b * T * C + t * C + i];
      m = m / C;
      float v = 0.0f;
      for (int i = 0; i < C; ++i) {
        float shifted = inp[b * T * C + t * C + i] - m;
        v += shifted * shifted;
      }
      v = v / C;
      float s = 1.0f / std::sqrt(v + 1e-5f);
      for (int i = 0; i < C; ++i) {
        float normalised = s * (inp[b * T * C + t * C + i] - m);
        out[b * T * C + t * C + i] = normalised * weight[i] + bias[i];
      }
      mean[b * T + t] = m;
      rstd[b * T + t] = s;
    }
  }
}

void matmul(int B, int T, int C, int OC, const float *inp, const float *weight,
            const float *bias, float *out) {
  [[autokernel]]
  for (int b = 0; b < B; ++b) {
    for (int t = 0; t < T; ++t) {
      for (int o = 0; o < OC; ++o) {
        float sum = bias != nullptr ? bias[o] : 0.0f;
        for (int i = 0; i < C; ++i)
          sum += inp[(b * T + t) * C + i] * weight[o * C + i];
        out[(b * T + t) * OC + o] = sum;
      }
    }
  }
}

void gelu(int n, const float *inp, float *out) {
  const float scale = 0.7978845608f; // sqrt(2 / pi)
  [[autokernel]]
  for (int i = 0; i < n; ++i) {
    float x = inp[i];
    float cube = 0.044715f * x * x * x;
    out[i] = 0.5f * x * (1.0f + std::tanh(scale * (x + cube)));
  }
}

void softmax(int rows, int cols, const float *inp, float *out) {
  [[autokernel]]
  for (int r = 0; r < rows; ++r) {
    float largest = inp[r * cols];
    for (int c = 1; c < cols; ++c)
      if (inp[r * cols + c] > largest)
        largest = inp[r * cols + c];
    float sum = 0.0f;
    for (int c = 0; c < cols; ++c) {
      float e = std::exp(inp[r * cols + c] - largest);
      out[r * cols + c] = e;
      sum += e;
    }
    for (int c = 0; c < cols; ++c)
      out[r * cols + c] = out[r * cols + c] / sum;
  }
}

void attention(int B, int T, int C, int NH, const float *inp, float *att,
               float *out) {
  const int hs = C / NH; // size of a head
  const float scale = 1.0f / std::sqrt(float(hs));
  [[autokernel]]
  for (int b = 0; b < B; ++b) {
    for (int h = 0; h < NH; ++h) {
      for (int t = 0; t < T; ++t) {
        float largest = -10000.0f;
        for (int u = 0; u <= t; ++u) {
          float dot = 0.0f;
          for (int i = 0; i < hs; ++i)
            dot += inp[(b * T + t) * 3 * C + h * hs + i] *
                   inp[(b * T + u) * 3 * C + C + h * hs + i];
          dot *= scale;
          if (dot > largest)
            largest = dot;
          att[((b * NH + h) * T + t) * T + u] = dot;
        }
        float sum = 0.0f;
        for (int u = 0; u <= t; ++u) {
          float e = std::exp(att[((b * NH + h) * T + t) * T + u] - largest);
          att[((b * NH + h) * T + t) * T + u] = e;
          sum += e;
        }
        for (int u = 0; u < T; ++u) {
          if (u <= t)
            att[((b * NH + h) * T + t) * T + u] /= sum;
          else
            att[((b * NH + h) * T + t) * T + u] = 0.0f;
        }
        for (int i = 0; i < hs; ++i) {
          float value = 0.0f;
          for (int u = 0; u <= t; ++u)
            value += att[((b * NH + h) * T + t) * T + u] *
                     inp[(b * T + u) * 3 * C + 2 * C + h * hs + i];
          out[(b * T + t) * C + h * hs + i] = value;
        }
      }
    }
  }
}
