// Cooperative groups: blocks, tiles of a warp, coalesced threads, the grid.
#ifndef AUTOKERNEL_COOPERATIVE_GROUPS_H
#define AUTOKERNEL_COOPERATIVE_GROUPS_H
#include "cuda_runtime.h"

#define __AK_METHOD                                                            \
  __attribute__((device, always_inline, nodebug, no_sanitize("undefined")))

namespace cooperative_groups {

__AK_DEVICE unsigned __ak_linear_thread() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__AK_DEVICE unsigned __ak_block_threads() {
  return blockDim.x * blockDim.y * blockDim.z;
}

class thread_block {
public:
  static constexpr bool __ak_is_block = true;
  __AK_METHOD void sync() const { __syncthreads(); }
  __AK_METHOD unsigned thread_rank() const { return __ak_linear_thread(); }
  __AK_METHOD unsigned size() const { return __ak_block_threads(); }
  __AK_METHOD unsigned num_threads() const { return __ak_block_threads(); }
  __AK_METHOD dim3 group_index() const { return blockIdx; }
  __AK_METHOD dim3 thread_index() const { return threadIdx; }
  __AK_METHOD dim3 group_dim() const { return blockDim; }
  __AK_METHOD dim3 dim_threads() const { return blockDim; }
};
__AK_DEVICE thread_block this_thread_block() { return {}; }

class grid_group {
public:
  __AK_METHOD void sync() const { __ak_grid_sync(__AK_HERE); }
  __AK_METHOD bool is_valid() const { return true; }
  __AK_METHOD unsigned long long block_rank() const {
    return blockIdx.x +
           (unsigned long long)gridDim.x *
               (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
  }
  __AK_METHOD unsigned long long num_blocks() const {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  __AK_METHOD unsigned long long thread_rank() const {
    return block_rank() * __ak_block_threads() + __ak_linear_thread();
  }
  __AK_METHOD unsigned long long size() const {
    return num_blocks() * __ak_block_threads();
  }
  __AK_METHOD unsigned long long num_threads() const { return size(); }
  __AK_METHOD dim3 group_dim() const { return gridDim; }
  __AK_METHOD dim3 dim_blocks() const { return gridDim; }
  __AK_METHOD dim3 block_index() const { return blockIdx; }
};
__AK_DEVICE grid_group this_grid() { return {}; }

/// Lanes of one warp. A tile's lanes are consecutive; coalesced ones needn't
/// be.
class __ak_lanes {
public:
  unsigned __mask, __rank, __size;
  static constexpr bool __ak_is_block = false;

  __AK_METHOD void sync() const { __syncwarp(__mask); }
  __AK_METHOD unsigned thread_rank() const { return __rank; }
  __AK_METHOD unsigned size() const { return __size; }
  __AK_METHOD unsigned num_threads() const { return __size; }
  __AK_METHOD int any(int p) const { return __any_sync(__mask, p); }
  __AK_METHOD int all(int p) const { return __all_sync(__mask, p); }
  __AK_METHOD unsigned ballot(int p) const {
    return __packed(__ballot_sync(__mask, p));
  }
  template <class T> __AK_METHOD unsigned match_any(T v) const {
    return __packed(__match_any_sync(__mask, v));
  }
  template <class T> __AK_METHOD unsigned match_all(T v, int &p) const {
    return __packed(__match_all_sync(__mask, v, &p));
  }
  template <class T> __AK_METHOD T shfl(T v, unsigned rank) const {
    return __ak_move(v, __lane(rank % __size));
  }
  template <class T> __AK_METHOD T shfl_up(T v, unsigned d) const {
    return __ak_move(v, __lane(__rank >= d ? __rank - d : __rank));
  }
  template <class T> __AK_METHOD T shfl_down(T v, unsigned d) const {
    return __ak_move(v, __lane(__rank + d < __size ? __rank + d : __rank));
  }
  template <class T> __AK_METHOD T shfl_xor(T v, unsigned d) const {
    unsigned to = __rank ^ d;
    return __ak_move(v, __lane(to < __size ? to : __rank));
  }

private:
  // The lane of the warp that has this rank in the group.
  __AK_METHOD unsigned __lane(unsigned rank) const {
    unsigned left = __mask;
    while (rank--)
      left &= left - 1;
    return (unsigned)__builtin_ctz(left);
  }
  __AK_METHOD unsigned __packed(unsigned lanes) const {
    unsigned result = 0, at = 0;
    for (unsigned left = __mask; left; left &= left - 1, ++at)
      result |= (lanes >> __builtin_ctz(left) & 1u) << at;
    return result;
  }
  // Values of any size travel in pieces of 8 bytes.
  template <class T> __AK_METHOD T __ak_move(T v, unsigned lane) const {
    unsigned long long piece[(sizeof(T) + 7) / 8] = {};
    __builtin_memcpy(piece, &v, sizeof(T));
    for (unsigned i = 0; i < (sizeof(T) + 7) / 8; ++i)
      piece[i] =
          __ak_warp(__AK_SHFL, __mask, piece[i], (int)lane, 32, __AK_HERE);
    __builtin_memcpy(&v, piece, sizeof(T));
    return v;
  }
};

template <unsigned N, class Parent = void> class thread_block_tile;
template <unsigned N> class thread_block_tile<N, void> : public __ak_lanes {
  static_assert(N > 0 && N <= 32 && (N & (N - 1)) == 0,
                "unsupported on the emulator: tiles larger than a warp");

public:
  __AK_METHOD unsigned meta_group_rank() const { return __meta_rank; }
  __AK_METHOD unsigned meta_group_size() const { return __meta_size; }
  static constexpr __device__ unsigned size() { return N; }
  static constexpr __device__ unsigned num_threads() { return N; }
  unsigned __meta_rank, __meta_size;
};
template <unsigned N, class Parent>
class thread_block_tile : public thread_block_tile<N, void> {};

__AK_DEVICE unsigned __ak_tile_mask(unsigned n) {
  unsigned lane = __ak_linear_thread() % 32;
  unsigned ones = n == 32 ? ~0u : (1u << n) - 1;
  return ones << (lane & ~(n - 1));
}

template <unsigned N, class G>
__AK_DEVICE thread_block_tile<N, G> tiled_partition(const G &g) {
  thread_block_tile<N, G> t;
  t.__mask = __ak_tile_mask(N);
  t.__rank = __ak_linear_thread() % N;
  t.__size = N;
  t.__meta_rank = g.thread_rank() / N;
  t.__meta_size = (g.size() + N - 1) / N;
  return t;
}

class coalesced_group : public __ak_lanes {};
__AK_DEVICE coalesced_group __ak_coalesced(unsigned mask) {
  unsigned lane = __ak_linear_thread() % 32;
  coalesced_group g;
  g.__mask = mask;
  g.__size = (unsigned)__builtin_popcount(mask);
  g.__rank = (unsigned)__builtin_popcount(mask & ((1u << lane) - 1));
  return g;
}
__AK_DEVICE coalesced_group coalesced_threads() {
  return __ak_coalesced(__activemask());
}
template <class G>
__AK_DEVICE coalesced_group binary_partition(const G &g, bool p) {
  unsigned mask = __ballot_sync(g.__mask, p);
  return __ak_coalesced(p ? mask : g.__mask & ~mask);
}

template <class G> __AK_DEVICE void sync(const G &g) { g.sync(); }
template <class G> __AK_DEVICE unsigned thread_rank(const G &g) {
  return g.thread_rank();
}
template <class G> __AK_DEVICE unsigned group_size(const G &g) {
  return g.size();
}

#define __AK_OPERATION(name, expression)                                       \
  template <class T = void> struct name {                                      \
    __AK_METHOD T operator()(T a, T b) const { return expression; }            \
  };
__AK_OPERATION(plus, a + b)
__AK_OPERATION(less, a < b ? a : b)
__AK_OPERATION(greater, a > b ? a : b)
__AK_OPERATION(bit_and, a &b)
__AK_OPERATION(bit_or, a | b)
__AK_OPERATION(bit_xor, a ^ b)
#undef __AK_OPERATION

template <class G, class T, class Op>
__AK_DEVICE T reduce(const G &g, T v, Op op) {
  static_assert(!G::__ak_is_block,
                "unsupported on the emulator: cg::reduce over a block");
  // Everybody computes the same tree over the ranks.
  for (unsigned d = 1; d < g.size(); d *= 2) {
    T other = g.shfl_down(v, d);
    if (g.thread_rank() + d < g.size())
      v = op(v, other);
  }
  return g.shfl(v, 0);
}
template <class G, class T, class Op>
__AK_DEVICE T inclusive_scan(const G &g, T v, Op op) {
  for (unsigned d = 1; d < g.size(); d *= 2) {
    T other = g.shfl_up(v, d);
    if (g.thread_rank() >= d)
      v = op(other, v);
  }
  return v;
}
template <class G, class T> __AK_DEVICE T inclusive_scan(const G &g, T v) {
  return inclusive_scan(g, v, plus<T>());
}
template <class G, class T, class Op>
__AK_DEVICE T exclusive_scan(const G &g, T v, Op op) {
  T all = inclusive_scan(g, v, op), before = g.shfl_up(all, 1);
  return g.thread_rank() ? before : T();
}
template <class G, class T> __AK_DEVICE T exclusive_scan(const G &g, T v) {
  return exclusive_scan(g, v, plus<T>());
}

} // namespace cooperative_groups
#endif
