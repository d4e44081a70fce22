// The fast path of the memory checks, compiled into every checked candidate so
// that a check is a near call that spills nothing. Whatever isn't plainly fine
// goes to the machine (__ak_*_slow). Called only by instrumentation.
#ifndef AUTOKERNEL_CHECK_H
#define AUTOKERNEL_CHECK_H
#include "autokernel_state.h"

#define __AK_CHECK                                                             \
  extern "C" __attribute__((device, used, noinline, nodebug, preserve_all)) void
#define __AK_STEP                                                              \
  static __attribute__((device, always_inline, nodebug,                        \
                        no_sanitize("undefined")))
#define __AK_NOW (*(const __ak_state *)AK_STATE_BASE)
#define __AK_UNLIKELY(x) __builtin_expect(!!(x), 0)

extern "C" __attribute__((device)) void
__ak_read_slow(unsigned long long, unsigned long long, const __ak_site *);
extern "C" __attribute__((device)) void
__ak_write_slow(unsigned long long, unsigned long long, const __ak_site *);

__AK_STEP __ak_cell *__ak_cell_of(unsigned long long offset) {
  return (__ak_cell *)(AK_CELL_BASE + offset * 4);
}

// May this word have been written before the running thread reads it?
__AK_STEP bool __ak_readable(unsigned long long w, unsigned long long low) {
  const __ak_state &now = __AK_NOW;
  return w - now.blockLow < now.segmentLow - now.blockLow || w - 2 < low - 2 ||
         (w ^ now.current) < (1ull << AK_FLAG_SHIFT);
}

// Records a reader; false if the state needs the slow path.
__AK_STEP bool __ak_note_reader(__ak_cell *cell, unsigned long long launchLow,
                                unsigned site) {
  const __ak_state &now = __AK_NOW;
  unsigned long long r = cell->reader;
  unsigned long long difference = r ^ now.current;
  if (difference < (1ull << AK_EPOCH_SHIFT) ||
      (difference & ~((31ull << AK_THREAD_SHIFT) | 0xffff)) == AK_MANY_WARP)
    return true;
  bool grid = (r & AK_MANY_MASK) == AK_MANY_GRID && r >= launchLow;
  bool same = difference < (1ull << AK_SEGMENT_SHIFT);
  if (grid || (same && (r & AK_MANY_MASK) == AK_MANY_BLOCK))
    return true;
  if (same || (r >= launchLow && r < now.blockLow))
    return false;
  cell->reader = now.current | site;
  return true;
}

__AK_STEP bool __ak_read_granule(unsigned long long offset, unsigned site) {
  const __ak_state &now = __AK_NOW;
  __ak_cell *cell = __ak_cell_of(offset);
  bool shared = offset < AK_SHARED_BYTES;
  if (!__ak_readable(cell->writer, shared ? 2 : now.launchLow))
    return false;
  return __ak_note_reader(cell, shared ? now.blockLow : now.launchLow, site);
}

__AK_STEP bool __ak_write_granule(unsigned long long offset, unsigned site) {
  const __ak_state &now = __AK_NOW;
  __ak_cell *cell = __ak_cell_of(offset);
  unsigned long long low =
      offset < AK_SHARED_BYTES ? now.blockLow : now.launchLow;
  unsigned long long w = cell->writer, r = cell->reader;
  bool old =
      w - 1 < low - 1 || w - now.blockLow < now.segmentLow - now.blockLow;
  if (!old && (w ^ now.current) >= (1ull << AK_FLAG_SHIFT))
    return false;
  bool mine = (r ^ now.current) < (1ull << AK_FLAG_SHIFT);
  bool before = r < low || (r - now.blockLow < now.segmentLow - now.blockLow &&
                            (r & AK_MANY_MASK) != AK_MANY_GRID);
  if (!mine && !before)
    return false;
  cell->writer = now.current | site;
  cell->reader = 0;
  return true;
}

#define __AK_DEFINE_CHECK(KIND, NAME, SIZE, ALIGN)                             \
  __AK_CHECK __ak_##KIND##NAME(unsigned long long address,                     \
                               const __ak_site *site) {                        \
    unsigned long long offset = address - AK_DEVICE_BASE;                      \
    bool odd = offset >= __AK_NOW.limit || (address & ((ALIGN) - 1));          \
    if (__AK_UNLIKELY(odd))                                                    \
      return __ak_##KIND##_slow(address, SIZE, site);                          \
    for (unsigned i = 0; i < SIZE; i += 4)                                     \
      if (__AK_UNLIKELY(!__ak_##KIND##_granule(offset + i, site->index)))      \
        return __ak_##KIND##_slow(address, SIZE, site);                        \
  }
#define __AK_DEFINE_CHECKS(KIND)                                               \
  __AK_DEFINE_CHECK(KIND, 4, 4, 4)                                             \
  __AK_DEFINE_CHECK(KIND, 4a, 4, site->align)                                  \
  __AK_DEFINE_CHECK(KIND, 8, 8, 8)                                             \
  __AK_DEFINE_CHECK(KIND, 8u, 8, 4)                                            \
  __AK_DEFINE_CHECK(KIND, 16, 16, 16)                                          \
  __AK_DEFINE_CHECK(KIND, 16u, 16, 4)
__AK_DEFINE_CHECKS(read)
__AK_DEFINE_CHECKS(write)

#endif
