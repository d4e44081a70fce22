// The layers of a small transformer, in the style of llm.c: activations are
// (B, T, C) arrays in row-major order.
#pragma once

void layernorm(int B, int T, int C, const float *inp, const float *weight,
               const float *bias, float *out, float *mean, float *rstd);

/// out (B, T, OC) = inp (B, T, C) times weight (OC, C) transposed, plus bias,
/// which may be null.
void matmul(int B, int T, int C, int OC, const float *inp, const float *weight,
            const float *bias, float *out);

void gelu(int n, const float *inp, float *out);

/// Of each of `rows` rows.
void softmax(int rows, int cols, const float *inp, float *out);

/// inp (B, T, 3C) holds query, key and value; NH heads; a position sees itself
/// and what came before. att (B, NH, T, T) is kept for the backward pass.
void attention(int B, int T, int C, int NH, const float *inp, float *att,
               float *out);
