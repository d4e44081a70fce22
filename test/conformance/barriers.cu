// Barriers of a block and what threads see across them.

// CASE: reversal 1 256
// EXPECT: [255 - i for i in range(256)]
__global__ void reversal(unsigned *out) {
  __shared__ unsigned s[256];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[255 - threadIdx.x];
}
// CASE: exited_threads_dont_count 1 96
// EXPECT: [(i + 1) % 40 if i < 40 else 0 for i in range(96)]
__global__ void exited_threads_dont_count(unsigned *out) {
  __shared__ unsigned s[40];
  if (threadIdx.x >= 40)
    return;
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[(threadIdx.x + 1) % 40];
}
// CASE: many_rounds 1 64
// EXPECT: [(i + 100) % 64 for i in range(64)]
__global__ void many_rounds(unsigned *out) {
  __shared__ unsigned s[64];
  s[threadIdx.x] = threadIdx.x;
  for (int round = 0; round < 100; ++round) {
    __syncthreads();
    unsigned next = s[(threadIdx.x + 1) % 64];
    __syncthreads();
    s[threadIdx.x] = next;
  }
  out[threadIdx.x] = s[threadIdx.x];
}
// CASE: counts 2 96
// EXPECT: [32, 0, 1, 32, 0, 1]
__global__ void counts(unsigned *out) {
  int count = __syncthreads_count(threadIdx.x % 3 == 0);
  int all = __syncthreads_and(threadIdx.x != 50);
  int any = __syncthreads_or(threadIdx.x == 50);
  if (threadIdx.x == 95) {
    out[3 * blockIdx.x] = count;
    out[3 * blockIdx.x + 1] = all != 0;
    out[3 * blockIdx.x + 2] = any != 0;
  }
}
// CASE: count_of_the_living 1 64
// EXPECT: [10]
__global__ void count_of_the_living(unsigned *out) {
  if (threadIdx.x >= 10)
    return;
  int count = __syncthreads_count(1);
  if (threadIdx.x == 0)
    out[0] = count;
}
// CASE: all_agree 1 33
// EXPECT: [1, 0]
__global__ void all_agree(unsigned *out) {
  int all = __syncthreads_and(threadIdx.x < 33), any = __syncthreads_or(threadIdx.x == 33);
  if (threadIdx.x == 32) {
    out[0] = all != 0;
    out[1] = any != 0;
  }
}
// CASE: three_dimensions 2 (4,3,2)
// EXPECT: [b * 100 + 23 - i for b in range(2) for i in range(24)]
__global__ void three_dimensions(unsigned *out) {
  __shared__ unsigned s[24];
  unsigned t = threadIdx.x + 4 * (threadIdx.y + 3 * threadIdx.z);
  s[t] = t + 100 * blockIdx.x;
  __syncthreads();
  out[24 * blockIdx.x + t] = s[23 - t];
}
// CASE: dynamic_shared 1 32 256
// EXPECT: [(i + 7) % 32 + 64 for i in range(32)]
extern __shared__ unsigned dynamic[];
__global__ void dynamic_shared(unsigned *out) {
  dynamic[threadIdx.x] = threadIdx.x;
  dynamic[threadIdx.x + 32] = 64;
  __syncthreads();
  out[threadIdx.x] = dynamic[(threadIdx.x + 7) % 32] + dynamic[32];
}
// CASE: in_a_loop_of_all 1 64
// EXPECT: [64 * 63 // 2]
__global__ void in_a_loop_of_all(unsigned *out) {
  __shared__ unsigned s[64];
  s[threadIdx.x] = threadIdx.x;
  for (unsigned half = 32; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      s[threadIdx.x] += s[threadIdx.x + half];
  }
  if (threadIdx.x == 0)
    out[0] = s[0];
}
// CASE: two_barriers 1 64
// REPORT: divergent-barrier
__global__ void two_barriers(unsigned *out) {
  if (threadIdx.x < 32)
    __syncthreads();
  else
    __syncthreads();
  out[threadIdx.x] = 1;
}
// CASE: missing_barrier 1 64
// REPORT: race uninitialised-read
__global__ void missing_barrier(unsigned *out) {
  __shared__ unsigned s[64];
  s[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = s[63 - threadIdx.x];
}
// CASE: blocks_race 4 32
// REPORT: race
__global__ void blocks_race(unsigned *out) { out[threadIdx.x] = blockIdx.x; }
// CASE: waits_for_ever 1 64
// REPORT: deadlock step-budget time-budget
__global__ void waits_for_ever(unsigned *out) {
  if (threadIdx.x == 0)
    while (atomicAdd(out, 0u) == 0) {
    }
  __syncthreads();
  if (threadIdx.x == 1)
    atomicAdd(out, 1u);
}
// CASE: last_block_adds 8 32
// EXPECT: [36, 0, 1, 2, 3, 4, 5, 6, 7, 8]
__global__ void last_block_adds(unsigned *out) {
  if (threadIdx.x != 0)
    return;
  out[2 + blockIdx.x] = blockIdx.x + 1;
  __threadfence();
  if (atomicInc(out + 1, 7) != 7)
    return;
  __threadfence();
  unsigned sum = 0;
  for (unsigned b = 0; b < 8; ++b)
    sum += out[2 + b];
  out[0] = sum;
}
