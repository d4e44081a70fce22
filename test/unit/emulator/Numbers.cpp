//===- Numbers.cpp - arithmetic: math functions, half, bfloat16 -----------===//

#include "Harness.h"
#include <bit>
#include <cmath>

using namespace autokernel::emulator;

TEST(EmulatorNumbers, MathInAllSpellings) {
  Candidate C(R"(
#include <cmath>
#include <algorithm>
__global__ void k(float *y, float x) {
  int i = 0;
  y[i++] = expf(x); y[i++] = std::exp(x); y[i++] = exp(x); y[i++] = __expf(x);
  y[i++] = sqrtf(x); y[i++] = rsqrtf(x); y[i++] = fmaf(x, x, 1.f); y[i++] = __fmaf_rn(x, x, 1.f);
  y[i++] = __fdividef(1.f, x); y[i++] = powf(x, 3.f); y[i++] = std::pow(x, 3);
  y[i++] = fminf(x, 1.f); y[i++] = max(x, 3.f); y[i++] = min(3, 5); y[i++] = std::max(2.f, x);
  y[i++] = fabsf(-x); y[i++] = abs(-3); y[i++] = std::abs(-x); y[i++] = floorf(2.5f * x);
  y[i++] = tanhf(x); y[i++] = erff(x); y[i++] = log1pf(x); y[i++] = __sinf(x);
  y[i++] = isnan(x - x / 0.f * 0.f); y[i++] = fmodf(7.f, 4.f); y[i++] = copysignf(1.f, -x);
  float s, c; sincosf(x, &s, &c); y[i++] = s + c;
  y[i++] = __int_as_float(__float_as_int(x) + 1); y[i++] = __float2int_rn(2.5f); y[i++] = __float2int_rz(-2.7f);
  y[i++] = __popc(255) + __clz(1) + __ffs(8) + (__brev(1) >> 31);
  y[i++] = max(1u, 2u) + min(-1ll, 1ll); y[i++] = __saturatef(x); y[i++] = (float)round(2.5);
  y[i++] = __umulhi(1u << 31, 4u); y[i++] = cbrtf(8.f); y[i++] = exp2f(3.f);
}
extern "C" cudaError_t go(float *y, float x) { k<<<1, 1>>>(y, x); return cudaGetLastError(); })");
  float *Y = C.fresh<float>(40);
  float X = 2;
  EXPECT_EQ(C.run(Y, X), 0);
  C.expectClean();
  float E = std::exp(2.f);
  std::vector<float> Want = {E,
                             E,
                             E,
                             E,
                             std::sqrt(2.f),
                             float(1 / std::sqrt(2.0)),
                             5,
                             5,
                             0.5,
                             8,
                             8,
                             1,
                             3,
                             3,
                             2,
                             2,
                             3,
                             2,
                             5,
                             std::tanh(2.f),
                             std::erf(2.f),
                             std::log1p(2.f),
                             std::sin(2.f),
                             1,
                             3,
                             -1,
                             std::sin(2.f) + std::cos(2.f),
                             std::nextafter(2.f, 3.f),
                             2,
                             -2,
                             8 + 31 + 4 + 1,
                             1,
                             1,
                             3,
                             2,
                             2,
                             8};
  std::vector<float> V = C.values(Y, Want.size());
  for (size_t I = 0; I < Want.size(); ++I)
    EXPECT_FLOAT_EQ(V[I], Want[I]) << I;
}

TEST(EmulatorNumbers, ContractionIsAnOption) {
  const char *Source = R"(
__global__ void k(float *y, float a, float b, float c) { y[0] = a * b + c; }
__global__ void rounded(float *y, float a, float b, float c) {
  y[1] = __fadd_rn(__fmul_rn(a, b), c);
}
extern "C" cudaError_t go(float *y, float a, float b, float c) {
  k<<<1, 1>>>(y, a, b, c);
  rounded<<<1, 1>>>(y, a, b, c);
  return cudaGetLastError();
})";
  float A = 1 + 0x1p-12f;
  for (bool Contract : {false, true}) {
    EmulatorOptions E;
    E.Contract = Contract;
    Candidate C(Source, {}, E);
    float *Y = C.fresh<float>(2);
    C.run(Y, A, A, -1 - 0x1p-11f);
    std::vector<float> V = C.values(Y, 2);
    EXPECT_EQ(V[1], 0.f);
#if defined(__aarch64__)
    EXPECT_EQ(V[0], Contract ? 0x1p-24f : 0.f);
#else
    if (__builtin_cpu_supports("fma")) {
      EXPECT_EQ(V[0], Contract ? 0x1p-24f : 0.f);
    }
#endif
  }
}

TEST(EmulatorNumbers, HalfRoundsAtEachOperation) {
  Candidate C(R"(
#include <cuda_fp16.h>
__global__ void k(unsigned short *y, float a, float b) {
  __half x = __float2half(a), z = __float2half(b);
  int i = 0;
  y[i++] = __half_as_ushort(x);
  y[i++] = __half_as_ushort(x + z);
  y[i++] = __half_as_ushort(__hmul(x, z));
  y[i++] = __half_as_ushort(__hfma(x, z, x));
  y[i++] = __half_as_ushort(__float2half(1e6f));
  y[i++] = __half_as_ushort(__float2half(6e-8f));
  y[i++] = __half_as_ushort(__float2half(65519.f));
  half2 p = __floats2half2_rn(1.f, 2.f);
  p = __hadd2(p, p);
  y[i++] = __half_as_ushort(__high2half(p));
  y[i++] = __half_as_ushort(hexp(__float2half(0.f)));
  y[i++] = x > z;
}
extern "C" cudaError_t go(unsigned short *y, float a, float b) { k<<<1, 1>>>(y, a, b); return cudaGetLastError(); })");
  auto *Y = C.fresh<unsigned short>(10);
  C.run(Y, 2048.f, 1.f);
  C.expectClean();
  EXPECT_EQ(C.values(Y, 10),
            (std::vector<unsigned short>{0x6800, 0x6800, 0x6800, 0x6c00, 0x7c00,
                                         0x0001, 0x7bff, 0x4400, 0x3c00, 1}));
}

TEST(EmulatorNumbers, EveryHalfSurvivesARoundTrip) {
  Candidate C(R"(
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void k(const unsigned short *x, unsigned short *y, unsigned short *z) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = __half_as_ushort(__float2half(__half2float(__ushort_as_half(x[i]))));
  z[i] = __bfloat16_as_ushort(__float2bfloat16(__bfloat162float(__ushort_as_bfloat16(x[i]))));
}
extern "C" cudaError_t go(const unsigned short *x, unsigned short *y, unsigned short *z) { k<<<256, 256>>>(x, y, z); return cudaGetLastError(); })");
  std::vector<unsigned short> X(65536);
  for (unsigned I = 0; I < 65536; ++I)
    X[I] = uint16_t(I);
  auto *Y = C.fresh<unsigned short>(65536), *Z = C.fresh<unsigned short>(65536);
  C.run(C.buffer(X), Y, Z);
  C.expectClean();
  std::vector<unsigned short> H = C.values(Y, 65536), B = C.values(Z, 65536);
  for (unsigned I = 0; I < 65536; ++I) {
    bool HalfIsNaN = (I & 0x7fff) > 0x7c00, BfloatIsNaN = (I & 0x7fff) > 0x7f80;
    ASSERT_TRUE(HalfIsNaN || H[I] == I) << I;
    ASSERT_TRUE(BfloatIsNaN || B[I] == I) << I;
  }
}

TEST(EmulatorNumbers, BfloatRoundsToNearestEven) {
  Candidate C(R"(
#include <cuda_bf16.h>
__global__ void k(unsigned short *y) {
  y[0] = __bfloat16_as_ushort(__float2bfloat16(1.00390625f));
  y[1] = __bfloat16_as_ushort(__float2bfloat16(1.01171875f));
  y[2] = __bfloat16_as_ushort(__float2bfloat16(1.004f));
  y[3] = __bfloat16_as_ushort(__float2bfloat16(256.f) + __float2bfloat16(1.f));
  y[4] = __bfloat16_as_ushort(__float2bfloat16(3.4e38f));
}
extern "C" cudaError_t go(unsigned short *y) { k<<<1, 1>>>(y); return cudaGetLastError(); })");
  auto *Y = C.fresh<unsigned short>(5);
  C.run(Y);
  EXPECT_EQ(C.values(Y, 5), (std::vector<unsigned short>{0x3f80, 0x3f82, 0x3f81,
                                                         0x4380, 0x7f80}));
}

TEST(EmulatorNumbers, ConversionsSaturate) {
  Candidate C(R"(
__global__ void k(long long *y, float big, float nan) {
  y[0] = (int)big; y[1] = (int)-big; y[2] = (int)nan; y[3] = (unsigned)-big;
  y[4] = (unsigned)big; y[5] = (long long)(double)big; y[6] = (int)2.9f;
  y[7] = __float2int_rn(big);
}
extern "C" cudaError_t go(long long *y, float big, float nan) { k<<<1, 1>>>(y, big, nan); return cudaGetLastError(); })");
  auto *Y = C.fresh<long long>(8);
  C.run(Y, 1e20f, std::nanf(""));
  C.expectClean();
  long long Most = 9223372036854775807;
  EXPECT_EQ(C.values(Y, 8),
            (std::vector<long long>{2147483647, -2147483648ll, 0, 0,
                                    4294967295ll, Most, 2, 2147483647}));
}
