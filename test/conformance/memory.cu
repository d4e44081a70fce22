// What the emulator reports of memory; kernels that are right pass.

// CASE: unaligned_vector 1 32
// REPORT: misaligned
__global__ void unaligned_vector(unsigned *out) {
  if (threadIdx.x == 0)
    *reinterpret_cast<uint4 *>(out + 1) = make_uint4(1, 2, 3, 4);
}
// CASE: vectors 1 8
// EXPECT: [w for i in range(8) for w in (i, i + 1, i + 2, i + 3)]
__global__ void vectors(unsigned *out) {
  unsigned i = threadIdx.x;
  reinterpret_cast<uint4 *>(out)[i] = make_uint4(i, i + 1, i + 2, i + 3);
}
// CASE: bytes_and_shorts 1 8
// EXPECT: [i + 256 * (i + 1) + 65536 * (300 + i) for i in range(8)]
__global__ void bytes_and_shorts(unsigned *out) {
  unsigned char *b = reinterpret_cast<unsigned char *>(out + threadIdx.x);
  b[0] = threadIdx.x;
  b[1] = threadIdx.x + 1;
  reinterpret_cast<unsigned short *>(b)[1] = 300 + threadIdx.x;
}
// CASE: behind_the_end 1 32
// REPORT: out-of-bounds-write
__global__ void behind_the_end(unsigned *out) { out[1024 + threadIdx.x] = 1; }
// CASE: before_the_begin 1 1
// REPORT: out-of-bounds-read
__global__ void before_the_begin(unsigned *out) { out[0] = out[-1]; }
// CASE: over_a_shared_array 1 32
// REPORT: out-of-bounds-write out-of-bounds-index
__global__ void over_a_shared_array(unsigned *out) {
  __shared__ unsigned s[31];
  s[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = s[0];
}
// CASE: between_shared_arrays 1 32
// REPORT: out-of-bounds-read out-of-bounds-index
__global__ void between_shared_arrays(unsigned *out) {
  __shared__ unsigned a[8], b[8];
  if (threadIdx.x < 8)
    a[threadIdx.x] = b[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const unsigned *p = a;
  out[threadIdx.x] = p[8 + threadIdx.x % 8];
}
// CASE: over_dynamic_shared 1 32 64
// REPORT: out-of-bounds-write
extern __shared__ unsigned few[];
__global__ void over_dynamic_shared(unsigned *out) {
  few[threadIdx.x] = 1;
  out[threadIdx.x] = few[threadIdx.x];
}
// CASE: unset_shared 1 32
// REPORT: uninitialised-read
__global__ void unset_shared(unsigned *out) {
  __shared__ unsigned s[32];
  out[threadIdx.x] = s[threadIdx.x];
}
// CASE: unset_by_the_next_block 2 32
// REPORT: uninitialised-read
__global__ void unset_by_the_next_block(unsigned *out) {
  __shared__ unsigned s[32];
  if (blockIdx.x == 0)
    s[threadIdx.x] = 1;
  out[32 * blockIdx.x + threadIdx.x] = s[threadIdx.x];
}
// CASE: half_unset 1 32
// REPORT: uninitialised-read
__global__ void half_unset(unsigned *out) {
  __shared__ unsigned char s[128];
  s[4 * threadIdx.x] = s[4 * threadIdx.x + 1] = 1;
  out[threadIdx.x] = *reinterpret_cast<unsigned *>(s + 4 * threadIdx.x);
}
// CASE: null_pointer 1 1
// REPORT: null-pointer wrong-side-pointer
__global__ void null_pointer(unsigned *out) {
  unsigned *p = *reinterpret_cast<unsigned **>(out + 2); // zero
  *p = 1;
}
// CASE: wild_pointer 1 1
// REPORT: wrong-side-pointer out-of-bounds-write
__global__ void wild_pointer(unsigned *out) { out[1ll << 42] = 1; }
// CASE: too_many_threads 1 2048
// REPORT: bad-launch
__global__ void too_many_threads(unsigned *out) { out[threadIdx.x] = 1; }
// CASE: no_blocks 0 32
// REPORT: bad-launch
__global__ void no_blocks(unsigned *out) { out[threadIdx.x] = 1; }
// CASE: too_much_shared 1 32 300000
// REPORT: bad-launch shared-overflow
__global__ void too_much_shared(unsigned *out) { out[threadIdx.x] = 1; }
// CASE: full_block 1 1024
// EXPECT: list(range(1024))
__global__ void full_block(unsigned *out) { out[threadIdx.x] = threadIdx.x; }
// CASE: grid_of_three_dimensions (2,3,4) 1
// EXPECT: list(range(24))
__global__ void grid_of_three_dimensions(unsigned *out) {
  unsigned b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  out[b] = b;
}
// CASE: constant_table 1 8
// EXPECT: [i * i for i in range(8)]
__constant__ const unsigned squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};
__global__ void constant_table(unsigned *out) { out[threadIdx.x] = squares[threadIdx.x]; }
// CASE: local_array 1 32
// EXPECT: [(i * 7 + 3) % 10 for i in range(32)]
__global__ void local_array(unsigned *out) {
  unsigned own[10];
  for (unsigned k = 0; k < 10; ++k)
    own[k] = k;
  out[threadIdx.x] = own[(threadIdx.x * 7 + 3) % 10];
}
// CASE: divides_by_zero 1 32
// REPORT: divide-by-zero
__global__ void divides_by_zero(unsigned *out) { out[threadIdx.x] = 100 / (threadIdx.x - 3); }
// CASE: signed_overflow 1 32
// REPORT: signed-overflow
__global__ void signed_overflow(unsigned *out) { out[threadIdx.x] = 2147483647 - 10 + static_cast<int>(threadIdx.x); }
// CASE: shifts_too_far 1 64
// REPORT: bad-shift
__global__ void shifts_too_far(unsigned *out) { out[threadIdx.x] = 1u << threadIdx.x; }
