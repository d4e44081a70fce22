// The fast path of the memory checks, compiled into every checked candidate so
// that a check is a near call that spills nothing. Three tiers: what has been
// seen in this segment; what is new but fine; the rest, for the machine. Each
// tail-calls the next, so that only the last one pays for a real call.
#ifndef AUTOKERNEL_CHECK_H
#define AUTOKERNEL_CHECK_H
#include "autokernel_state.h"

#define __AK_PLAIN_CODE nodebug, no_sanitize("undefined")
#define __AK_CHECK                                                             \
  extern "C" __attribute__((device, used, noinline, preserve_all,              \
                            __AK_PLAIN_CODE)) void
#define __AK_TIER                                                              \
  static __attribute__((device, noinline, preserve_all, __AK_PLAIN_CODE)) void
#define __AK_STEP static __attribute__((device, always_inline, __AK_PLAIN_CODE))
#define __AK_NOW (*(const __ak_state *)AK_STATE_BASE)
#define __AK_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define __AK_GO [[clang::musttail]] return

typedef unsigned long long __ak_word;

extern "C" __attribute__((device)) void __ak_read_slow(__ak_word, __ak_word,
                                                       const __ak_site *);
extern "C" __attribute__((device)) void __ak_write_slow(__ak_word, __ak_word,
                                                        const __ak_site *);

// Tells the machine that this object is checked.
extern "C" __attribute__((device, used)) inline void __autokernel_checked() {}

__AK_STEP __ak_cell *__ak_cell_of(__ak_word offset) {
  return (__ak_cell *)(AK_CELL_BASE + offset * 4);
}

__AK_STEP bool __ak_is_foreign(__ak_word address, unsigned align) {
  return address - AK_DEVICE_BASE >= __AK_NOW.limit || (address & (align - 1));
}

// Whoever read this before has also looked at the writer, and nobody has
// written since: a write forgets the readers.
__AK_STEP bool __ak_was_read(__ak_word reader) {
  const __ak_state &now = __AK_NOW;
  return (reader & AK_SEGMENT_AND_FLAGS) == now.manyBlock ||
         (reader & ~AK_LANE_AND_SITE) == now.manyWarp ||
         (reader ^ now.current) < (1ull << AK_EPOCH_SHIFT);
}

__AK_STEP bool __ak_was_read_by_grid(__ak_word reader) {
  return (reader & AK_MANY_MASK) == AK_MANY_GRID &&
         reader >= __AK_NOW.launchLow;
}

// Is this word surely ordered before the running thread? (low: first word that
// matters at all)
__AK_STEP bool __ak_is_before(__ak_word w, __ak_word low) {
  const __ak_state &now = __AK_NOW;
  return w - now.blockLow < now.segmentLow - now.blockLow || w < low ||
         (w ^ now.current) < (1ull << AK_FLAG_SHIFT);
}

// The reader's state after the running thread has joined it; 0 if only the
// machine can tell.
__AK_STEP __ak_word __ak_join(__ak_word r, __ak_word launchLow) {
  const __ak_state &now = __AK_NOW;
  __ak_word mine = now.current;
  if (r < launchLow || (r >= now.blockLow && r < now.segmentLow))
    return mine;
  if ((r ^ mine) >> AK_SEGMENT_SHIFT)
    return now.cooperative ? 0 : mine | AK_MANY_GRID;
  bool warp = ((r ^ mine) >> (AK_THREAD_SHIFT + 5)) == 0;
  if ((r & AK_MANY_MASK) == AK_MANY_BLOCK || !warp)
    return mine | AK_MANY_BLOCK;
  // Lanes of one warp; the machine knows how epochs join.
  bool epoch = ((r ^ mine) & AK_EPOCH_MASK) == 0;
  return epoch ? mine | AK_MANY_WARP : 0;
}

__AK_STEP bool __ak_read_cell(__ak_cell *cell, bool shared, unsigned site) {
  const __ak_state &now = __AK_NOW;
  __ak_word reader = cell->reader, writer = cell->writer;
  if (__ak_was_read(reader) || (!shared && __ak_was_read_by_grid(reader)))
    return true;
  if (writer <= AK_UNINITIALISED ||
      !__ak_is_before(writer, shared ? 0 : now.launchLow))
    return false;
  __ak_word joined = __ak_join(reader, shared ? now.blockLow : now.launchLow);
  if (!joined)
    return false;
  cell->reader = joined | site;
  return true;
}

__AK_STEP bool __ak_write_cell(__ak_cell *cell, bool shared, unsigned site) {
  const __ak_state &now = __AK_NOW;
  __ak_word low = shared ? now.blockLow : now.launchLow;
  __ak_word writer = cell->writer, reader = cell->reader;
  if (writer == AK_UNADDRESSABLE || !__ak_is_before(writer, low))
    return false;
  if (reader >= low && (reader & AK_MANY_MASK) == AK_MANY_GRID)
    return false;
  if (!__ak_is_before(reader, low))
    return false;
  cell->writer = now.current | site;
  cell->reader = 0;
  return true;
}

// Tiers two and three of a check.
#define __AK_DEFINE_TIERS(KIND, NAME, SIZE)                                    \
  __AK_TIER __ak_rare_##KIND##NAME(__ak_word address, const __ak_site *site) { \
    __ak_##KIND##_slow(address, SIZE, site);                                   \
  }                                                                            \
  __AK_TIER __ak_new_##KIND##NAME(__ak_word address, const __ak_site *site) {  \
    __ak_word offset = address - AK_DEVICE_BASE;                               \
    bool shared = offset < AK_SHARED_BYTES;                                    \
    for (unsigned i = 0; i < SIZE; i += 4)                                     \
      if (__AK_UNLIKELY(!__ak_##KIND##_cell(__ak_cell_of(offset + i), shared,  \
                                            site->index)))                     \
        __AK_GO __ak_rare_##KIND##NAME(address, site);                         \
  }
// Reads are by far the most frequent, so their first tier is small.
#define __AK_DEFINE_READ(NAME, SIZE, ALIGN)                                    \
  __AK_DEFINE_TIERS(read, NAME, SIZE)                                          \
  __AK_CHECK __ak_read##NAME(__ak_word address, const __ak_site *site) {       \
    if (__AK_UNLIKELY(__ak_is_foreign(address, ALIGN)))                        \
      __AK_GO __ak_rare_read##NAME(address, site);                             \
    const __ak_cell *cell = __ak_cell_of(address - AK_DEVICE_BASE);            \
    for (unsigned i = 0; i < SIZE / 4; ++i)                                    \
      if (!__ak_was_read(cell[i].reader))                                      \
        __AK_GO __ak_new_read##NAME(address, site);                            \
  }
#define __AK_DEFINE_WRITE(NAME, SIZE, ALIGN)                                   \
  __AK_DEFINE_TIERS(write, NAME, SIZE)                                         \
  __AK_CHECK __ak_write##NAME(__ak_word address, const __ak_site *site) {      \
    if (__AK_UNLIKELY(__ak_is_foreign(address, ALIGN)))                        \
      __AK_GO __ak_rare_write##NAME(address, site);                            \
    __AK_GO __ak_new_write##NAME(address, site);                               \
  }
#define __AK_DEFINE_CHECKS(NAME, SIZE, ALIGN)                                  \
  __AK_DEFINE_READ(NAME, SIZE, ALIGN)                                          \
  __AK_DEFINE_WRITE(NAME, SIZE, ALIGN)
// Granules that are accessed in parts have a cell for each byte.
#define __AK_DEFINE_PART(KIND, SIZE)                                           \
  __AK_TIER __ak_rare_##KIND##SIZE(__ak_word address, const __ak_site *site) { \
    __ak_##KIND##_slow(address, SIZE, site);                                   \
  }                                                                            \
  __AK_CHECK __ak_##KIND##SIZE(__ak_word address, const __ak_site *site) {     \
    __ak_word offset = address - AK_DEVICE_BASE;                               \
    bool shared = offset < AK_SHARED_BYTES;                                    \
    if (__AK_UNLIKELY(__ak_is_foreign(address, SIZE)) ||                       \
        __AK_UNLIKELY(__ak_cell_of(offset & ~3ull)->writer != AK_SPLIT))       \
      __AK_GO __ak_rare_##KIND##SIZE(address, site);                           \
    __ak_cell *cell = (__ak_cell *)AK_BYTE_CELL_BASE + offset;                 \
    for (unsigned i = 0; i < SIZE; ++i)                                        \
      if (__AK_UNLIKELY(!__ak_##KIND##_cell(cell + i, shared, site->index)))   \
        __AK_GO __ak_rare_##KIND##SIZE(address, site);                         \
  }
__AK_DEFINE_PART(read, 1)
__AK_DEFINE_PART(read, 2)
__AK_DEFINE_PART(write, 1)
__AK_DEFINE_PART(write, 2)
__AK_DEFINE_CHECKS(4, 4, 4)
__AK_DEFINE_CHECKS(4a, 4, site->align)
__AK_DEFINE_CHECKS(8, 8, 8)
__AK_DEFINE_CHECKS(8u, 8, 4)
__AK_DEFINE_CHECKS(16, 16, 16)
__AK_DEFINE_CHECKS(16u, 16, 4)

#endif
