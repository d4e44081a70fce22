// Rounding of half, bfloat16 and float; conversions; integer intrinsics.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// CASE: half_ties_to_even 1 1
// EXPECT: [0x6800, 0x6802, 0x6802]
__global__ void half_ties_to_even(unsigned *out) { // ulp is 2 from 2048 on
  out[0] = __half_as_ushort(__float2half(2049.0f));
  out[1] = __half_as_ushort(__float2half(2051.0f));
  out[2] = __half_as_ushort(__hadd(__float2half(2048.0f), __float2half(3.0f)));
}
// CASE: half_overflow 1 1
// EXPECT: [0x7bff, 0x7c00, 0x7c00, 0xfc00]
__global__ void half_overflow(unsigned *out) {
  out[0] = __half_as_ushort(__float2half(65519.0f));
  out[1] = __half_as_ushort(__float2half(65520.0f));
  out[2] = __half_as_ushort(__hmul(__float2half(256.0f), __float2half(256.0f)));
  out[3] = __half_as_ushort(__float2half(-1e30f));
}
// CASE: half_subnormal 1 1
// EXPECT: [0x0001, 0x0000, 0x0002, 0x0200]
__global__ void half_subnormal(unsigned *out) {
  out[0] = __half_as_ushort(__float2half(5.9604645e-8f));
  out[1] = __half_as_ushort(__float2half(2.9802322e-8f)); // half of it: to even
  out[2] = __half_as_ushort(__float2half(8.9406967e-8f)); // one and a half
  out[3] = __half_as_ushort(__hmul(__ushort_as_half(0x0400), __float2half(0.5f)));
}
// CASE: half_fma_rounds_once 1 1
// EXPECT: [0x3c01, 0x3c02]
__global__ void half_fma_rounds_once(unsigned *out) {
  __half e = __ushort_as_half(0x3c01); // 1 + 2^-10
  __half minus = __ushort_as_half(0x9401); // -(2^-10 + 2^-20)
  out[0] = __half_as_ushort(__hfma(e, e, minus));
  out[1] = __half_as_ushort(__hmul(e, e));
}
// CASE: half_pairs 1 1
// EXPECT: [0x3c00, 0x4200, 0x4400, 0x4600]
__global__ void half_pairs(unsigned *out) {
  __half2 a = __floats2half2_rn(0.5f, 1.0f), b = __floats2half2_rn(0.5f, 2.0f);
  __half2 sum = __hadd2(a, b), product = __hmul2(sum, __floats2half2_rn(4.0f, 2.0f));
  out[0] = __half_as_ushort(__low2half(sum));
  out[1] = __half_as_ushort(__high2half(sum));
  out[2] = __half_as_ushort(__low2half(product));
  out[3] = __half_as_ushort(__high2half(product));
}
// CASE: half_order 1 1
// EXPECT: [1, 0, 0, 1, 0x3c00, 0xbc00]
__global__ void half_order(unsigned *out) {
  __half one = __float2half(1.0f), nan = __ushort_as_half(0x7e00);
  out[0] = __hlt(-one, one);
  out[1] = __hlt(nan, one);
  out[2] = __heq(nan, nan);
  out[3] = __hisnan(nan);
  out[4] = __half_as_ushort(__hmax(one, -one));
  out[5] = __half_as_ushort(__hmin(one, -one));
}
// CASE: bfloat16_ties_to_even 1 1
// EXPECT: [0x3f80, 0x3f82, 0x3f81]
__global__ void bfloat16_ties_to_even(unsigned *out) { // ulp of 1 is 2^-7
  out[0] = __bfloat16_as_ushort(__float2bfloat16(1.00390625f));
  out[1] = __bfloat16_as_ushort(__float2bfloat16(1.01171875f));
  out[2] = __bfloat16_as_ushort(__float2bfloat16(1.0040f));
}
// CASE: bfloat16_sums 1 1
// EXPECT: [0x4380, 0x4381]
__global__ void bfloat16_sums(unsigned *out) { // ulp is 2 from 256 on
  __nv_bfloat16 big = __float2bfloat16(256.0f);
  out[0] = __bfloat16_as_ushort(__hadd(big, __float2bfloat16(1.0f)));
  out[1] = __bfloat16_as_ushort(__hadd(big, __float2bfloat16(1.5f)));
}
// The product lies half way; what is added decides, however small.
// CASE: bfloat16_fma_rounds_once 1 1
// EXPECT: [0x3fc2, 0x3fc1, 0x3fc2]
__global__ void bfloat16_fma_rounds_once(unsigned *out) {
  __nv_bfloat16 a = __float2bfloat16(1.5f), b = __ushort_as_bfloat16(0x3f81);
  __nv_bfloat16 tiny = __float2bfloat16(8.6736174e-19f); // 2^-60
  out[0] = __bfloat16_as_ushort(__hfma(a, b, __float2bfloat16(0.0f)));
  out[1] = __bfloat16_as_ushort(__hfma(a, b, __hneg(tiny)));
  out[2] = __bfloat16_as_ushort(__hfma(a, b, tiny));
}
// CASE: float_fma_rounds_once 1 1
// EXPECT: [f32(2.0**-46), 0]
__global__ void float_fma_rounds_once(unsigned *out) {
  float e = 1.0f + 1.1920929e-7f, square = __fmul_rn(e, e);
  out[0] = __float_as_uint(fmaf(e, e, -square));
  out[1] = __float_as_uint(__fadd_rn(__fmul_rn(e, e), -square));
}
// CASE: subnormal_floats 1 1
// EXPECT: [1, 2, 0x00400000]
__global__ void subnormal_floats(unsigned *out) {
  float least = __uint_as_float(1);
  out[0] = __float_as_uint(least * 1.25f);
  out[1] = __float_as_uint(least + least);
  out[2] = __float_as_uint(__uint_as_float(0x00800000) * 0.5f);
}
// CASE: float_to_int 1 1
// EXPECT: [3, s32(-3), 4, s32(-4), s32(-3), 2147483647, s32(-2147483648), 0]
__global__ void float_to_int(unsigned *out) {
  out[0] = __float2int_rz(3.7f);
  out[1] = __float2int_rz(-3.7f);
  out[2] = __float2int_rn(3.5f);
  out[3] = __float2int_rd(-3.2f);
  out[4] = __float2int_ru(-3.2f);
  out[5] = __float2int_rz(1e20f);
  out[6] = __float2int_rz(-1e20f);
  out[7] = __float2int_rz(__uint_as_float(0x7fc00000));
}
// CASE: float_to_unsigned 1 1
// EXPECT: [3, 0, 0xffffffff, 2]
__global__ void float_to_unsigned(unsigned *out) {
  out[0] = __float2uint_rz(3.99f);
  out[1] = __float2uint_rz(-5.0f);
  out[2] = __float2uint_rz(1e20f);
  out[3] = __float2uint_rn(2.5f);
}
// CASE: extremes_and_nan 1 1
// EXPECT: [f32(1.0), f32(1.0), f32(-1.0), f32(2.0)]
__global__ void extremes_and_nan(unsigned *out) {
  float nan = __uint_as_float(0x7fc00000);
  out[0] = __float_as_uint(fmaxf(nan, 1.0f));
  out[1] = __float_as_uint(fminf(1.0f, nan));
  out[2] = __float_as_uint(fminf(-1.0f, 2.0f));
  out[3] = __float_as_uint(fmaxf(-1.0f, 2.0f));
}
// CASE: counting_bits 1 1
// EXPECT: [16, 8, 32, 5, 0, 0x0000ff80, 4]
__global__ void counting_bits(unsigned *out) {
  out[0] = __popc(0xff00ff00u & 0xffffffffu);
  out[1] = __clz(0x00ff0000);
  out[2] = __clz(0);
  out[3] = __ffs(0x10);
  out[4] = __ffs(0);
  out[5] = __brev(0x01ff0000u);
  out[6] = __popcll(0x8000000000000007ull);
}
// CASE: high_products 1 1
// EXPECT: [0xfffffffe, s32(-1), 0x00000001, 6]
__global__ void high_products(unsigned *out) {
  out[0] = __umulhi(0xffffffffu, 0xffffffffu);
  out[1] = __mulhi(-1, 1);
  out[2] = static_cast<unsigned>(__umul64hi(0x8000000000000000ull, 2ull));
  out[3] = __mul24(2, 3);
}
// CASE: byte_work 1 1
// EXPECT: [0x55667788, 0x33445566, 0x34567890, 0x90123456, 5]
__global__ void byte_work(unsigned *out) {
  out[0] = __byte_perm(0x11223344u, 0x55667788u, 0x7654);
  out[1] = __byte_perm(0x55667788u, 0x11223344u, 0x5432);
  out[2] = __funnelshift_l(0x90123456u, 0x12345678u, 8);
  out[3] = __funnelshift_r(0x90123456u, 0x12345678u, 32);
  out[4] = __sad(-2, 2, 1u);
}
// CASE: doubles 1 1
// EXPECT: [*f64(0.1 + 0.2), *f64(1.0 / 3.0), *f64(2.0 ** 0.5)]
__global__ void doubles(unsigned *out) {
  volatile double a = 0.1, b = 0.2, three = 3.0, two = 2.0;
  double v[3] = {__dadd_rn(a, b), 1.0 / three, sqrt(two)};
  for (int k = 0; k < 3; ++k) {
    out[2 * k] = __double2loint(v[k]);
    out[2 * k + 1] = __double2hiint(v[k]);
  }
}
// CASE: exact_functions 1 1
// EXPECT: [f32(1.5), f32(-2.0), f32(-1.0), f32(2.0), f32(3.0), f32(0.5)]
__global__ void exact_functions(unsigned *out) {
  out[0] = __float_as_uint(sqrtf(2.25f));
  out[1] = __float_as_uint(floorf(-1.5f));
  out[2] = __float_as_uint(ceilf(-1.5f));
  out[3] = __float_as_uint(rintf(2.5f));
  out[4] = __float_as_uint(roundf(2.5f));
  out[5] = __float_as_uint(fmodf(5.5f, 1.0f));
}
// CASE: half_atomics 2 32
// EXPECT: [0x4c00, 0x42805000]
__global__ void half_atomics(unsigned *out) {
  atomicAdd(reinterpret_cast<__half *>(out), __float2half(0.25f));
  if (threadIdx.x == 0)
    atomicAdd(reinterpret_cast<__half2 *>(out + 1), __floats2half2_rn(16.0f, 1.625f));
}
