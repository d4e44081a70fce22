// Votes, matches, the warp's reductions, active lanes.

// CASE: ballot 1 64
// EXPECT: [sum(1 << i for i in range(32) if (32 * w + i) % 3 == 0) for w in range(2)]
__global__ void ballot(unsigned *out) {
  unsigned b = __ballot_sync(0xffffffffu, threadIdx.x % 3 == 0);
  if (threadIdx.x % 32 == 0)
    out[threadIdx.x / 32] = b;
}
// CASE: ballot_of_some 1 32
// EXPECT: [0x000000aa]
__global__ void ballot_of_some(unsigned *out) {
  if (threadIdx.x < 8) {
    unsigned b = __ballot_sync(0xffu, threadIdx.x % 2);
    if (threadIdx.x == 0)
      out[0] = b;
  }
}
// CASE: any_and_all 1 32
// EXPECT: [0, 0, 1, 0, 1, 1]
__global__ void any_and_all(unsigned *out) {
  bool votes[3] = {false, threadIdx.x == 31, true};
  for (int k = 0; k < 3; ++k) {
    unsigned any = __any_sync(0xffffffffu, votes[k]), all = __all_sync(0xffffffffu, votes[k]);
    if (threadIdx.x == 5) {
      out[2 * k] = any;
      out[2 * k + 1] = all;
    }
  }
}
// CASE: all_of_a_short_warp 1 5
// EXPECT: [1, 1, 0x1f]
__global__ void all_of_a_short_warp(unsigned *out) {
  unsigned all = __all_sync(0x1fu, threadIdx.x < 5), any = __any_sync(0x1fu, threadIdx.x == 4);
  unsigned ballot = __ballot_sync(0x1fu, 1);
  if (threadIdx.x == 0) {
    out[0] = all;
    out[1] = any;
    out[2] = ballot;
  }
}
// CASE: match_any 1 32
// EXPECT: [sum(1 << j for j in range(32) if j % 5 == i % 5) for i in range(32)]
__global__ void match_any(unsigned *out) {
  out[threadIdx.x] = __match_any_sync(0xffffffffu, threadIdx.x % 5);
}
// CASE: match_any_of_half 1 32
// EXPECT: [sum(1 << j for j in range(16) if j // 4 == i // 4) if i < 16 else 0 for i in range(32)]
__global__ void match_any_of_half(unsigned *out) {
  if (threadIdx.x < 16)
    out[threadIdx.x] = __match_any_sync(0xffffu, static_cast<long long>(threadIdx.x / 4) << 40);
}
// CASE: match_all 1 32
// EXPECT: [0xffffffff, 1, 0, 0]
__global__ void match_all(unsigned *out) {
  int same, other;
  unsigned a = __match_all_sync(0xffffffffu, 7u, &same);
  unsigned b = __match_all_sync(0xffffffffu, threadIdx.x == 9 ? 8u : 7u, &other);
  if (threadIdx.x == 9) {
    out[0] = a;
    out[1] = same;
    out[2] = b;
    out[3] = other;
  }
}
// CASE: reduce_sums 1 64
// EXPECT: [sum(range(32)), sum(range(32, 64)), s32(-sum(range(32))), s32(-sum(range(32, 64)))]
__global__ void reduce_sums(unsigned *out) {
  unsigned u = __reduce_add_sync(0xffffffffu, threadIdx.x);
  int s = __reduce_add_sync(0xffffffffu, -static_cast<int>(threadIdx.x));
  if (threadIdx.x % 32 == 0) {
    out[threadIdx.x / 32] = u;
    out[2 + threadIdx.x / 32] = s;
  }
}
// CASE: reduce_extremes 1 32
// EXPECT: [s32(-16), 15, 0, 0xffffffff]
__global__ void reduce_extremes(unsigned *out) {
  int v = static_cast<int>(threadIdx.x) - 16;
  int least = __reduce_min_sync(0xffffffffu, v), most = __reduce_max_sync(0xffffffffu, v);
  unsigned uleast = __reduce_min_sync(0xffffffffu, static_cast<unsigned>(v)),
           umost = __reduce_max_sync(0xffffffffu, static_cast<unsigned>(v));
  if (threadIdx.x == 0) {
    out[0] = least;
    out[1] = most;
    out[2] = uleast;
    out[3] = umost;
  }
}
// CASE: reduce_bits 1 32
// EXPECT: [0x00000100, 0xffffffff, 0xffffffff, 0x0000000f]
__global__ void reduce_bits(unsigned *out) {
  unsigned a = __reduce_and_sync(0xffffffffu, 0x100u | threadIdx.x);
  unsigned o = __reduce_or_sync(0xffffffffu, 1u << threadIdx.x);
  unsigned x = __reduce_xor_sync(0xffffffffu, 1u << threadIdx.x);
  unsigned some = threadIdx.x < 4 ? __reduce_or_sync(0xfu, 1u << threadIdx.x) : 0;
  if (threadIdx.x == 0) {
    out[0] = a;
    out[1] = o;
    out[2] = x;
    out[3] = some;
  }
}
// CASE: sync_then_read 1 32
// EXPECT: [31 - i for i in range(32)]
__global__ void sync_then_read(unsigned *out) {
  __shared__ unsigned s[32];
  s[threadIdx.x] = threadIdx.x;
  __syncwarp();
  out[threadIdx.x] = s[31 - threadIdx.x];
}
// CASE: sync_of_some 1 32
// EXPECT: [i ^ 1 if i < 8 else 0 for i in range(32)]
__global__ void sync_of_some(unsigned *out) {
  __shared__ unsigned s[32];
  if (threadIdx.x < 8) {
    s[threadIdx.x] = threadIdx.x;
    __syncwarp(0xff);
    out[threadIdx.x] = s[threadIdx.x ^ 1];
  }
}
// CASE: active_at_start 1 48
// EXPECT: [0xffffffff, 0x0000ffff]
__global__ void active_at_start(unsigned *out) {
  unsigned active = __activemask();
  if (threadIdx.x % 32 == 0)
    out[threadIdx.x / 32] = active;
}
// CASE: no_sync_before_read 1 32
// REPORT: race uninitialised-read
__global__ void no_sync_before_read(unsigned *out) {
  __shared__ unsigned s[32];
  s[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = s[31 - threadIdx.x];
}
// CASE: vote_without_the_caller 1 32
// REPORT: mask-mismatch
__global__ void vote_without_the_caller(unsigned *out) {
  out[threadIdx.x] = __ballot_sync(0x1u, 1);
}
// CASE: warps_wait_for_left_lanes 1 32
// REPORT: deadlock lane-exited mask-mismatch
__global__ void warps_wait_for_left_lanes(unsigned *out) {
  if (threadIdx.x == 3)
    return;
  __syncwarp();
  out[threadIdx.x] = 1;
}
