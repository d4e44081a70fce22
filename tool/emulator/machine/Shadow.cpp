//===- Shadow.cpp - the slow path of the memory checks --------------------===//
//
// Decides about accesses that aren't plainly fine: bounds, initialisation and
// races, in shared and global memory alike. A cell remembers the last writer
// and, as states, one reader, many of a warp, of a block or of the grid.
//
//===----------------------------------------------------------------------===//

#include "emulator/machine/Blocks.h"

using namespace llvm;

namespace autokernel::emulator {

namespace {
enum Access { Read, Write, Atomic, AtomicStore };
enum Finding {
  Fine,
  OutOfBounds,
  Uninitialised,
  RaceWithWriter,
  RaceWithReader
};

struct Checked {
  uint64_t Address, Size;
  Access Kind;
  const Site *At;
  bool Shared;

  bool reads() const { return Kind == Read || Kind == Atomic; }
  bool writes() const { return Kind != Read; }
  bool isAtomic() const { return Kind == Atomic || Kind == AtomicStore; }
};
} // namespace

static constexpr uint64_t MaxFindings = 20000;

static uint64_t segmentOf(Word W) { return W >> AK_SEGMENT_SHIFT; }
static unsigned threadOf(Word W) {
  return unsigned(W >> AK_THREAD_SHIFT) & 1023;
}
static unsigned epochOf(Word W) { return unsigned(W >> AK_EPOCH_SHIFT) & 2047; }
static Word many(Word W) { return W & AK_MANY_MASK; }

static bool isOfLaunch(Word W) {
  return W >= state().launchLow && segmentOf(W) >= TheSession.LaunchSegment;
}

static uint32_t ownerOf(Word W) {
  return TheSession.Owners[segmentOf(W) - TheSession.LaunchSegment];
}

static bool isOfThisBlock(Word W) {
  return segmentOf(W) >= TheSession.LaunchSegment &&
         ownerOf(W) == TheSession.Current->Linear;
}

static bool isSameWarp(Word A, Word B) {
  return threadOf(A) / 32 == threadOf(B) / 32;
}

/// Could the access \p Other be simultaneous with one of the running thread?
static bool conflicts(Word Other, const Checked &C) {
  Word Mine = state().current;
  if (C.Shared ? !isOfThisBlock(Other) : !isOfLaunch(Other))
    return false;
  if (many(Other) == AK_MANY_GRID)
    return !hasAcquired();
  if (ownerOf(Other) != TheSession.Current->Linear)
    return !isAcquired(ownerOf(Other), segmentOf(Other));
  if (segmentOf(Other) != segmentOf(Mine))
    return false;
  if (many(Other) == AK_MANY_BLOCK)
    return !hasThreadAcquired();
  if (many(Other) == 0 && threadOf(Other) == threadOf(Mine))
    return false;
  // Ordered by __syncwarp if it happened in between, or by a lock.
  if (isSameWarp(Other, Mine) && epochOf(Other) < epochOf(Mine))
    return false;
  return many(Other) ? !hasThreadAcquired()
                     : !isAcquiredFromThread(threadOf(Other));
}

/// The state after \p Known has been joined by the running thread.
static Word joined(Word Known, Word Mine, bool Shared) {
  bool Current = Shared ? isOfThisBlock(Known) : isOfLaunch(Known);
  if (!Current)
    return Mine;
  if (many(Known) == AK_MANY_GRID)
    return Known;
  if (ownerOf(Known) != TheSession.Current->Linear)
    return Mine | AK_MANY_GRID;
  if (segmentOf(Known) != segmentOf(Mine))
    return Mine;
  if (many(Known) == 0 && threadOf(Known) == threadOf(Mine))
    return Mine;
  if (many(Known) == AK_MANY_BLOCK || !isSameWarp(Known, Mine))
    return Mine | AK_MANY_BLOCK;
  Word Epoch = std::max(epochOf(Known), epochOf(Mine));
  return (Mine & ~(2047ull << AK_EPOCH_SHIFT)) | Epoch << AK_EPOCH_SHIFT |
         AK_MANY_WARP;
}

static bool isUninitialised(Word Writer, const Checked &C) {
  return Writer == AK_UNINITIALISED || (C.Shared && !isOfThisBlock(Writer));
}

static Finding accessCell(Cell &Known, const Checked &C, Word &Other) {
  Word Mine = state().current | C.At->index, W = Known.writer, R = Known.reader;
  if (W == AK_UNADDRESSABLE)
    return OutOfBounds;
  Finding Result = Fine;
  bool Fresh = isUninitialised(W, C);
  bool BothAtomic = C.isAtomic() && (W & AK_ATOMIC);
  if (C.reads() && Fresh)
    Result = Uninitialised;
  else if (!Fresh && !BothAtomic && conflicts(W, C))
    Result = RaceWithWriter, Other = W;
  else if (C.writes() && R && conflicts(R, C))
    Result = RaceWithReader, Other = R;

  if (C.Kind == Read) {
    Known.reader = joined(R, Mine, C.Shared);
    if (Result == Uninitialised) // Say it once.
      Known.writer = C.Shared ? Mine : AK_HOST_WRITTEN;
  } else {
    Word Joined = BothAtomic ? joined(W, Mine, C.Shared) : Mine;
    Known = {Joined | (C.isAtomic() ? AK_ATOMIC : 0), 0};
  }
  return Result;
}

static Cell *byteCells(uint64_t Granule) {
  return reinterpret_cast<Cell *>(AK_BYTE_CELL_BASE +
                                  (Granule - AK_DEVICE_BASE) * 16);
}

static Finding accessBytes(Cell &Whole, uint64_t Granule, unsigned From,
                           unsigned To, const Checked &C, Word &Other) {
  Cell *Bytes = byteCells(Granule);
  if (Whole.writer != AK_SPLIT) {
    for (unsigned I = 0; I < 4; ++I)
      Bytes[I] = Whole;
    Whole = {AK_SPLIT, 0};
  }
  Finding Worst = Fine;
  for (unsigned I = From; I < To; ++I) {
    Finding F = accessCell(Bytes[I], C, Other);
    if (Worst == Fine || F == OutOfBounds)
      Worst = F == Fine ? Worst : F;
  }
  return Worst;
}

/// Visits the granules of an access; stops at the first finding.
static Finding accessMemory(const Checked &C, Word &Other, uint64_t &Where) {
  for (uint64_t At = C.Address, End = C.Address + C.Size; At < End;) {
    uint64_t Granule = At & ~3ull;
    uint64_t Next = std::min(Granule + 4, End);
    Cell &Whole = *(reinterpret_cast<Cell *>(
        AK_CELL_BASE + (Granule - AK_DEVICE_BASE) / 4 * 16));
    bool Part = At != Granule || Next != Granule + 4;
    Finding F = Part || Whole.writer == AK_SPLIT
                    ? accessBytes(Whole, Granule, At - Granule, Next - Granule,
                                  C, Other)
                    : accessCell(Whole, C, Other);
    if (F != Fine) {
      Where = At;
      return F;
    }
    At = Next;
  }
  return Fine;
}

static const Site *siteOf(Word W) {
  unsigned Index = W & 0xffff;
  return Index && Index <= TheSession.Sites.size() ? TheSession.Sites[Index - 1]
                                                   : nullptr;
}

static void addOther(Report &R, Word Other) {
  R.HasOther = true;
  if (const Site *S = siteOf(Other)) {
    R.OtherFile = S->file;
    R.OtherLine = S->line;
    R.OtherColumn = S->column;
  }
  R.OtherBlock = blockIndex(ownerOf(Other));
  R.OtherThread = threadIndex(threadOf(Other));
}

static std::string raceMessage(const Checked &C, Finding F, Word Other) {
  bool OtherBlock = many(Other) == AK_MANY_GRID ||
                    ownerOf(Other) != TheSession.Current->Linear;
  std::string Who =
      OtherBlock ? "another block" : "another thread of the block";
  std::string Mine = C.Kind == Read    ? "reads"
                     : C.Kind == Write ? "writes"
                                       : "atomically updates";
  std::string Theirs = F == RaceWithReader ? "reads" : "writes";
  return "a thread " + Mine + " what " + Who + " " + Theirs +
         " without synchronisation in between";
}

static void reportBounds(const Checked &C) {
  Report R = describe(
      C.Kind == Read ? "out-of-bounds-read" : "out-of-bounds-write", C.At);
  locate(R, C.Address, C.Size);
  R.Message = std::to_string(C.Size) + " bytes at offset " +
              std::to_string(R.Offset) + " of '" + R.Buffer + "'";
  if (const Buffer *B = nearestBuffer(C.Address); B && !C.Shared)
    R.Message += ", which has " + std::to_string(B->Size) + " bytes";
  file(std::move(R));
  abortLaunch(700);
}

static void reportFinding(const Checked &C, Finding F, Word Other,
                          uint64_t Where) {
  if (F == OutOfBounds)
    return reportBounds(C);
  // A kernel that is wrong everywhere must not spend its time on reports.
  if (++TheSession.Findings > MaxFindings)
    return;
  Report R = describe(F == Uninitialised ? "uninitialised-read" : "race", C.At);
  locate(R, Where, C.Size);
  if (F == Uninitialised) {
    R.Message = "'" + R.Buffer + "' is read at offset " +
                std::to_string(R.Offset) + " before anything was written there";
  } else {
    R.Message = raceMessage(C, F, Other) + " ('" + R.Buffer + "' at offset " +
                std::to_string(R.Offset) + ")";
    addOther(R, Other);
  }
  file(std::move(R));
}

/// Not device memory: a local variable, or a pointer that a kernel can't use.
static void classifyForeign(const Checked &C) {
  const BlockRun &B = *TheSession.Current;
  if (isOn(B.Threads[B.Running].OnStack, C.Address) || isOnStack(C.Address))
    return;
  Report R =
      describe(C.Address < 65536 ? "null-pointer" : "wrong-side-pointer", C.At);
  R.Message = C.Address < 65536
                  ? "a null pointer is used"
                  : "a kernel uses a pointer that isn't device memory";
  R.Size = unsigned(C.Size);
  file(std::move(R));
  abortLaunch(700);
}

static void checkAlignment(const Checked &C) {
  if (C.At->align <= 1 || !(C.Address & (C.At->align - 1)))
    return;
  Report R = describe("misaligned", C.At);
  locate(R, C.Address, C.Size);
  R.Message = "an access that needs an alignment of " +
              std::to_string(C.At->align) + " is at offset " +
              std::to_string(R.Offset) + " of '" + R.Buffer + "'";
  file(std::move(R));
  abortLaunch(716);
}

static void access(uint64_t Address, uint64_t Size, Access Kind,
                   const Site *At) {
  if (!Size)
    return;
  bool Shared = Address - AK_DEVICE_BASE < AK_SHARED_BYTES;
  Checked C{Address, Size, Kind, At, Shared};
  if (!isDeviceRange(Address, Size))
    return classifyForeign(C);
  checkAlignment(C);
  Word Other = 0;
  uint64_t Where = Address;
  Finding F = accessMemory(C, Other, Where);
  if (F != Fine)
    reportFinding(C, F, Other, Where);
}

} // namespace autokernel::emulator

using namespace autokernel::emulator;

extern "C" void __ak_read_slow(uint64_t Address, uint64_t Size,
                               const Site *At) {
  access(Address, Size, Read, At);
}

extern "C" void __ak_write_slow(uint64_t Address, uint64_t Size,
                                const Site *At) {
  access(Address, Size, Write, At);
}

// In global memory volatile is how flags were written before atomics; in shared
// memory it never replaced a barrier.
static bool countsAsAtomic(uint64_t Address) {
  return isDeviceRange(Address, 1) &&
         Address - AK_DEVICE_BASE >= AK_SHARED_BYTES;
}

extern "C" void __ak_volatile_read(uint64_t Address, uint64_t Size,
                                   const Site *At) {
  if (!countsAsAtomic(Address))
    return access(Address, Size, Read, At);
  access(Address, Size, Atomic, At);
  synchroniseOn(Address, true, false);
}

extern "C" void __ak_volatile_write(uint64_t Address, uint64_t Size,
                                    const Site *At) {
  if (!countsAsAtomic(Address))
    return access(Address, Size, Write, At);
  access(Address, Size, AtomicStore, At);
  synchroniseOn(Address, false, true);
}

extern "C" void __ak_atomic(uint64_t Address, unsigned Size, const Site *At) {
  if (!TheSession.CheckedObject)
    return;
  Site Sized = *At;
  Sized.align = uint16_t(Size);
  access(Address, Size, Atomic, &Sized);
  if (Address - AK_DEVICE_BASE >= AK_SHARED_BYTES)
    synchroniseOn(Address, true, true);
}
