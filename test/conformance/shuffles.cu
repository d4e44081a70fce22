// The four shuffles: widths, edges, types of 2 to 8 bytes.

// CASE: down 1 32
// EXPECT: [i + 1 if i < 31 else i for i in range(32)]
__global__ void down(unsigned *out) {
  out[threadIdx.x] = __shfl_down_sync(0xffffffffu, threadIdx.x, 1);
}
// CASE: down_over_the_end 1 32
// EXPECT: [i + 20 if i + 20 < 32 else i for i in range(32)]
__global__ void down_over_the_end(unsigned *out) {
  out[threadIdx.x] = __shfl_down_sync(0xffffffffu, threadIdx.x, 20);
}
// CASE: down_in_eights 1 32
// EXPECT: [i + 3 if i % 8 + 3 < 8 else i for i in range(32)]
__global__ void down_in_eights(unsigned *out) {
  out[threadIdx.x] = __shfl_down_sync(0xffffffffu, threadIdx.x, 3, 8);
}
// CASE: up 1 32
// EXPECT: [i - 5 if i >= 5 else i for i in range(32)]
__global__ void up(unsigned *out) {
  out[threadIdx.x] = __shfl_up_sync(0xffffffffu, threadIdx.x, 5);
}
// CASE: up_in_fours 1 32
// EXPECT: [i - 1 if i % 4 >= 1 else i for i in range(32)]
__global__ void up_in_fours(unsigned *out) {
  out[threadIdx.x] = __shfl_up_sync(0xffffffffu, threadIdx.x, 1, 4);
}
// CASE: up_by_width 1 32
// EXPECT: list(range(32))
__global__ void up_by_width(unsigned *out) {
  out[threadIdx.x] = __shfl_up_sync(0xffffffffu, threadIdx.x, 32);
}
// CASE: exchange 1 32
// EXPECT: [i ^ 31 for i in range(32)]
__global__ void exchange(unsigned *out) {
  out[threadIdx.x] = __shfl_xor_sync(0xffffffffu, threadIdx.x, 31);
}
// CASE: exchange_in_eights 1 32
// EXPECT: [i ^ 5 for i in range(32)]
__global__ void exchange_in_eights(unsigned *out) {
  out[threadIdx.x] = __shfl_xor_sync(0xffffffffu, threadIdx.x, 5, 8);
}
// A later segment isn't read, an earlier one is.
// CASE: exchange_across_segments 1 32
// EXPECT: [i ^ 8 if (i ^ 8) // 8 <= i // 8 else i for i in range(32)]
__global__ void exchange_across_segments(unsigned *out) {
  out[threadIdx.x] = __shfl_xor_sync(0xffffffffu, threadIdx.x, 8, 8);
}
// CASE: indexed 1 32
// EXPECT: [(7 * i + 3) % 32 for i in range(32)]
__global__ void indexed(unsigned *out) {
  out[threadIdx.x] = __shfl_sync(0xffffffffu, threadIdx.x, 7 * threadIdx.x + 3);
}
// CASE: indexed_in_sixteens 1 32
// EXPECT: [i // 16 * 16 + 40 % 16 for i in range(32)]
__global__ void indexed_in_sixteens(unsigned *out) {
  out[threadIdx.x] = __shfl_sync(0xffffffffu, threadIdx.x, 40, 16);
}
// CASE: negative_lane 1 32
// EXPECT: [31] * 32
__global__ void negative_lane(unsigned *out) {
  out[threadIdx.x] = __shfl_sync(0xffffffffu, threadIdx.x, -1);
}
// CASE: half_the_warp 1 32
// EXPECT: [i ^ 1 if i < 16 else 99 for i in range(32)]
__global__ void half_the_warp(unsigned *out) {
  out[threadIdx.x] = 99;
  if (threadIdx.x < 16)
    out[threadIdx.x] = __shfl_xor_sync(0xffffu, threadIdx.x, 1);
}
// CASE: short_last_warp 1 40
// EXPECT: [i ^ 1 for i in range(40)]
__global__ void short_last_warp(unsigned *out) {
  out[threadIdx.x] =
      __shfl_xor_sync(threadIdx.x < 32 ? 0xffffffffu : 0xffu, threadIdx.x, 1);
}
// CASE: doubles 1 32
// EXPECT: [w for i in range(32) for w in f64((i ^ 3) + 0.1)]
__global__ void doubles(unsigned *out) {
  double v = __shfl_xor_sync(0xffffffffu, threadIdx.x + 0.1, 3);
  out[2 * threadIdx.x] = __double2loint(v);
  out[2 * threadIdx.x + 1] = __double2hiint(v);
}
// CASE: sixty_four_bits 1 32
// EXPECT: [w for i in range(32) for w in ((i + 1) % 32, 0xfffffff0 + i % 2)]
__global__ void sixty_four_bits(unsigned *out) {
  unsigned long long v = 0xfffffff000000000ull + (1ull << 32) * (~threadIdx.x & 1) + threadIdx.x;
  v = __shfl_sync(0xffffffffu, v, threadIdx.x + 1);
  out[2 * threadIdx.x] = static_cast<unsigned>(v);
  out[2 * threadIdx.x + 1] = static_cast<unsigned>(v >> 32);
}
// CASE: floats 1 32
// EXPECT: [f32(max(0, i - 1) * 0.5) for i in range(32)]
__global__ void floats(unsigned *out) {
  out[threadIdx.x] = __float_as_uint(__shfl_up_sync(0xffffffffu, threadIdx.x * 0.5f, 1));
}
// CASE: reduction_tree 2 64
// EXPECT: [sum(range(32)), sum(range(32, 64)), sum(range(64, 96)), sum(range(96, 128))]
__global__ void reduction_tree(unsigned *out) {
  unsigned v = blockIdx.x * 64 + threadIdx.x;
  for (int d = 16; d > 0; d /= 2)
    v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0)
    out[blockIdx.x * 2 + threadIdx.x / 32] = v;
}
// CASE: missing_lane 1 32
// REPORT: mask-mismatch shuffle-inactive-lane deadlock lane-exited
__global__ void missing_lane(unsigned *out) {
  if (threadIdx.x < 16)
    out[threadIdx.x] = __shfl_xor_sync(0xffffffffu, threadIdx.x, 16);
}
// CASE: caller_not_named 1 32
// REPORT: mask-mismatch
__global__ void caller_not_named(unsigned *out) {
  out[threadIdx.x] = __shfl_xor_sync(0xfffffffeu, threadIdx.x, 2);
}
// CASE: inactive_source 1 32
// REPORT: shuffle-inactive-lane
__global__ void inactive_source(unsigned *out) {
  if (threadIdx.x < 8)
    out[threadIdx.x] = __shfl_sync(0xffu, threadIdx.x, 9);
}
// Reading past the lanes that take part is allowed where it is dropped.
// CASE: down_past_the_mask 1 32
// EXPECT: [28]
__global__ void down_past_the_mask(unsigned *out) {
  if (threadIdx.x >= 8)
    return;
  unsigned v = threadIdx.x;
  for (int d = 4; d > 0; d /= 2)
    v += __shfl_down_sync(0xffu, v, d);
  if (threadIdx.x == 0)
    out[0] = v;
}
