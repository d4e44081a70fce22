// What the instrumented candidate and the machine share: the fixed address map,
// the shadow cell and the state of the running thread. Plain C++ without any
// include, because the candidate's compiler and the machine's both read it.
#ifndef AUTOKERNEL_STATE_H
#define AUTOKERNEL_STATE_H

// Device memory lies at a fixed address, so that its shadow is found with
// constants. Shared arenas come first, then the heap.
#define AK_DEVICE_BASE 0x200000000000ull
#define AK_SHARED_BYTES 0x08000000ull
#define AK_CELL_BASE 0x280000000000ull
#define AK_BYTE_CELL_BASE 0x300000000000ull
#define AK_STATE_BASE 0x1fffff000000ull

// An access word: segment 24 bits, thread 10, flags 3, warp epoch 11, site 16.
#define AK_SEGMENT_SHIFT 40
#define AK_THREAD_SHIFT 30
#define AK_FLAG_SHIFT 27
#define AK_EPOCH_SHIFT 16
#define AK_ATOMIC (4ull << AK_FLAG_SHIFT)
#define AK_MANY_MASK (3ull << AK_FLAG_SHIFT)
#define AK_MANY_WARP (1ull << AK_FLAG_SHIFT)
#define AK_MANY_BLOCK (2ull << AK_FLAG_SHIFT)
#define AK_MANY_GRID (3ull << AK_FLAG_SHIFT)

// Special writers: fresh shadow pages say unaddressable. Written by the host
// counts as segment 1. Split granules keep a cell for each byte elsewhere.
#define AK_UNADDRESSABLE 0ull
#define AK_UNINITIALISED 1ull
#define AK_HOST_WRITTEN (1ull << AK_SEGMENT_SHIFT)
#define AK_SPLIT 0xffffff0000000000ull

struct __ak_site {
  const char *file;
  unsigned line, column, index;
  unsigned short size, align;
};

struct __ak_cell {
  unsigned long long writer, reader;
};

struct __ak_state {
  unsigned long long current;    // access word of the running thread
  unsigned long long segmentLow; // first word of the running segment
  unsigned long long blockLow;   // first word of the running block
  unsigned long long launchLow;  // first word of the running launch
  unsigned long long limit;      // bytes of device memory from its base on
  long long steps;               // loop iterations until the next budget check
};

#endif
