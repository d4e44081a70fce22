// Atomic operations of all types, returned values, wrapping.

// CASE: adds 4 64
// EXPECT: [256, s32(-256), 256, 0, f32(128.0), 0, *f64(64.0)]
__global__ void adds(unsigned *out) {
  atomicAdd(out, 1u);
  atomicAdd(reinterpret_cast<int *>(out + 1), -1);
  atomicAdd(reinterpret_cast<unsigned long long *>(out + 2), 1ull);
  atomicAdd(reinterpret_cast<float *>(out + 4), 0.5f);
  atomicAdd(reinterpret_cast<double *>(out + 6), 0.25);
}
// CASE: subtractions 1 32
// EXPECT: [s32(-32), 0xffffffe0]
__global__ void subtractions(unsigned *out) {
  atomicSub(reinterpret_cast<int *>(out), 1);
  atomicSub(out + 1, 1u);
}
// CASE: extremes 2 32
// EXPECT: [0, 63, s32(-63), 0, 0, 0, 63, 0]
__global__ void extremes(unsigned *out) {
  int t = blockIdx.x * 32 + threadIdx.x;
  atomicMin(out, static_cast<unsigned>(t));
  atomicMax(out + 1, static_cast<unsigned>(t));
  atomicMin(reinterpret_cast<int *>(out + 2), -t);
  atomicMax(reinterpret_cast<int *>(out + 3), -t);
  atomicMin(reinterpret_cast<unsigned long long *>(out + 4), 5ull);
  atomicMax(reinterpret_cast<unsigned long long *>(out + 6), static_cast<unsigned long long>(t));
}
// CASE: wide_signed_extremes 1 32
// EXPECT: [s32(-31), 0xffffffff, 31, 0]
__global__ void wide_signed_extremes(unsigned *out) {
  atomicMin(reinterpret_cast<long long *>(out), -static_cast<long long>(threadIdx.x));
  atomicMax(reinterpret_cast<long long *>(out + 2), static_cast<long long>(threadIdx.x));
}
// CASE: bits 1 32
// EXPECT: [0xffffffff, 0xffffffff, 0]
__global__ void bits(unsigned *out) {
  atomicOr(out, 1u << threadIdx.x);
  atomicXor(out + 1, 1u << threadIdx.x);
  atomicAnd(out + 2, ~(1u << threadIdx.x));
}
// CASE: wide_bits 1 64
// EXPECT: [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff]
__global__ void wide_bits(unsigned *out) {
  atomicOr(reinterpret_cast<unsigned long long *>(out), 1ull << threadIdx.x);
  atomicXor(reinterpret_cast<unsigned long long *>(out + 2), 1ull << threadIdx.x);
}
// CASE: increments_wrap 1 32
// EXPECT: [32 % 7]
__global__ void increments_wrap(unsigned *out) { atomicInc(out, 6); }
// CASE: increments_return 1 7
// EXPECT: [0, sum(range(7))]
__global__ void increments_return(unsigned *out) {
  atomicAdd(out + 1, atomicInc(out, 6));
}
// CASE: decrements_wrap 1 1
// EXPECT: [4, 0, 5]
__global__ void decrements_wrap(unsigned *out) {
  out[1] = atomicDec(out, 5);
  out[2] = atomicDec(out, 5);
}
// CASE: decrement_above_limit 1 1
// EXPECT: [3, 9]
__global__ void decrement_above_limit(unsigned *out) {
  out[0] = 9;
  out[1] = atomicDec(out, 3);
}
// CASE: exchanges 1 1
// EXPECT: [7, 0, f32(1.5), 0, 9, 1, 0, 0]
__global__ void exchanges(unsigned *out) {
  out[1] = atomicExch(out, 7u);
  out[3] = __float_as_uint(atomicExch(reinterpret_cast<float *>(out + 2), 1.5f));
  unsigned long long before = atomicExch(reinterpret_cast<unsigned long long *>(out + 4), 0x100000009ull);
  out[6] = static_cast<unsigned>(before);
}
// CASE: swaps 1 1
// EXPECT: [5, 0, 5, 11]
__global__ void swaps(unsigned *out) {
  out[1] = atomicCAS(out, 0u, 5u);
  out[2] = atomicCAS(out, 4u, 6u);
  atomicCAS(out + 3, 0u, 11u);
}
// CASE: wide_swap 1 1
// EXPECT: [1, 2, 0, 0]
__global__ void wide_swap(unsigned *out) {
  unsigned long long before = atomicCAS(reinterpret_cast<unsigned long long *>(out), 0ull, 0x200000001ull);
  out[2] = static_cast<unsigned>(before);
}
// CASE: short_swap 1 1
// EXPECT: [0x00090000, 0, 9]
__global__ void short_swap(unsigned *out) {
  unsigned short *high = reinterpret_cast<unsigned short *>(out) + 1;
  out[1] = atomicCAS(high, static_cast<unsigned short>(0), static_cast<unsigned short>(9));
  out[2] = atomicCAS(high, static_cast<unsigned short>(1), static_cast<unsigned short>(3));
}
// CASE: float_by_swap 2 64
// EXPECT: [f32(32.0)]
__global__ void float_by_swap(unsigned *out) {
  unsigned seen = atomicAdd(out, 0u), before;
  do {
    before = seen;
    seen = atomicCAS(out, before, __float_as_uint(__uint_as_float(before) + 0.25f));
  } while (seen != before);
}
// CASE: in_shared_memory 1 128
// EXPECT: [128, f32(64.0), 127]
__global__ void in_shared_memory(unsigned *out) {
  __shared__ unsigned count, most;
  __shared__ float sum;
  if (threadIdx.x == 0) {
    count = most = 0;
    sum = 0;
  }
  __syncthreads();
  atomicAdd(&count, 1u);
  atomicAdd(&sum, 0.5f);
  atomicMax(&most, threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 1) {
    out[0] = count;
    out[1] = __float_as_uint(sum);
    out[2] = most;
  }
}
// CASE: returned_values 1 64
// EXPECT: [64, sum(range(64))]
__global__ void returned_values(unsigned *out) { atomicAdd(out + 1, atomicAdd(out, 1u)); }
// In global memory the addition of floats takes subnormal numbers as zero, in
// shared memory it doesn't.
// CASE: subnormal_sums 1 1
// EXPECT: [0, 2]
__global__ void subnormal_sums(unsigned *out) {
  __shared__ float s;
  s = __uint_as_float(1);
  atomicAdd(reinterpret_cast<float *>(out), __uint_as_float(1));
  atomicAdd(&s, __uint_as_float(1));
  out[1] = __float_as_uint(s);
}
// CASE: of_a_block 2 32
// EXPECT: [32, 32]
__global__ void of_a_block(unsigned *out) { atomicAdd_block(out + blockIdx.x, 1u); }
// CASE: of_the_system 2 32
// EXPECT: [64]
__global__ void of_the_system(unsigned *out) { atomicAdd_system(out, 1u); }
// CASE: mixed_with_plain 1 64
// REPORT: race
__global__ void mixed_with_plain(unsigned *out) {
  if (threadIdx.x == 0)
    out[0] = 5;
  else
    atomicAdd(out, 1u);
}
