//===- Memory.cpp - device memory, its shadow and its guards --------------===//

#include "emulator/machine/Session.h"
#include <cstring>
#include <sys/mman.h>

using namespace llvm;

namespace autokernel::emulator {

Session TheSession;

static constexpr uint64_t GuardBytes = 512;
// Between buffers, so that an index that is wrong by rows finds nothing.
static constexpr uint64_t LeastGap = 64 * 1024;
// From here on a released buffer's pages go back to the system.
static constexpr uint64_t LargeBytes = 16 * 1024;
static constexpr unsigned char GuardByte = 0xa7;
static constexpr unsigned char FreshByte = 0xcd;

static Error mapFixed(uint64_t Address, uint64_t Bytes) {
  void *Wanted = reinterpret_cast<void *>(Address);
  int Flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
  void *Got = mmap(Wanted, Bytes, PROT_READ | PROT_WRITE, Flags, -1, 0);
  if (Got == Wanted)
    return Error::success();
  if (Got != MAP_FAILED)
    munmap(Got, Bytes);
  return createStringError("the emulator's address range is taken: " +
                           Twine::utohexstr(Address));
}

static uint64_t deviceBytes() {
  return AK_SHARED_BYTES + TheSession.Options.HeapBytes;
}

Error reserveMemory() {
  TheSession.Options.HeapBytes = alignTo(
      std::min<uint64_t>(TheSession.Options.HeapBytes, 1ull << 36), 4096);
  uint64_t Bytes = deviceBytes();
  Error E = joinErrors(joinErrors(mapFixed(AK_DEVICE_BASE, Bytes),
                                  mapFixed(AK_CELL_BASE, Bytes * 4)),
                       joinErrors(mapFixed(AK_BYTE_CELL_BASE, Bytes * 16),
                                  mapFixed(AK_STATE_BASE, 4096)));
  if (!E)
    state().limit = Bytes;
  TheSession.HeapNext = AK_DEVICE_BASE + AK_SHARED_BYTES + GuardBytes;
  return E;
}

void releaseMemory() {
  uint64_t Bytes = deviceBytes();
  munmap(reinterpret_cast<void *>(AK_DEVICE_BASE), Bytes);
  munmap(reinterpret_cast<void *>(AK_CELL_BASE), Bytes * 4);
  munmap(reinterpret_cast<void *>(AK_BYTE_CELL_BASE), Bytes * 16);
  munmap(reinterpret_cast<void *>(AK_STATE_BASE), 4096);
}

bool isDeviceRange(uint64_t Address, uint64_t Size) {
  uint64_t Offset = Address - AK_DEVICE_BASE;
  return Offset < state().limit && Size <= state().limit - Offset;
}

static Cell *cellOf(uint64_t Address) {
  return reinterpret_cast<Cell *>(AK_CELL_BASE +
                                  (Address - AK_DEVICE_BASE) / 4 * 16);
}

static Cell *byteCellOf(uint64_t Address) {
  return reinterpret_cast<Cell *>(AK_BYTE_CELL_BASE +
                                  (Address - AK_DEVICE_BASE) * 16);
}

// A granule that isn't covered whole keeps a cell for each byte.
static void setPart(uint64_t Address, uint64_t Size, Word Writer) {
  Cell *Whole = cellOf(Address);
  Cell *Bytes = byteCellOf(Address & ~3ull);
  if (Whole->writer != AK_SPLIT) {
    for (unsigned I = 0; I < 4; ++I)
      Bytes[I] = *Whole;
    *Whole = {AK_SPLIT, 0};
  }
  for (uint64_t I = 0; I < Size; ++I)
    Bytes[(Address & 3) + I] = {Writer, 0};
}

void setShadow(uint64_t Address, uint64_t Size, Word Writer) {
  uint64_t End = Address + Size;
  if (Address & 3) {
    uint64_t Part = std::min<uint64_t>(4 - (Address & 3), Size);
    setPart(Address, Part, Writer);
    Address += Part;
  }
  if (Address >= End)
    return;
  for (Cell *C = cellOf(Address), *Last = cellOf(End & ~3ull); C != Last; ++C)
    *C = {Writer, 0};
  if (End & 3)
    setPart(End & ~3ull, End & 3, Writer);
}

uint64_t arenaBytes() {
  return alignTo(
      TheSession.SharedEnd + TheSession.Options.SharedOptInBytes + 4096, 4096);
}

void resetShared(uint64_t Arena) {
  setShadow(Arena, arenaBytes(), AK_UNADDRESSABLE);
  for (const SharedRange &Range : TheSession.SharedLayout)
    setShadow(Arena + Range.Offset, Range.Size, AK_UNINITIALISED);
}

static uint64_t dynamicBegin(uint64_t Arena) {
  return Arena + alignTo(TheSession.SharedEnd + 1024, 1024);
}

void setDynamicShared(uint64_t Arena, uint64_t Bytes, uint64_t Before) {
  if (Bytes == Before)
    return;
  setShadow(dynamicBegin(Arena), Before, AK_UNADDRESSABLE);
  setShadow(dynamicBegin(Arena), Bytes, AK_UNINITIALISED);
}

const Buffer *bufferOf(uint64_t Address, uint64_t Size) {
  auto Next = TheSession.Buffers.upper_bound(Address);
  if (Next == TheSession.Buffers.begin())
    return nullptr;
  const Buffer &Found = std::prev(Next)->second;
  return Address + Size <= Found.end() ? &Found : nullptr;
}

const Buffer *nearestBuffer(uint64_t Address) {
  auto Next = TheSession.Buffers.upper_bound(Address);
  const Buffer *Above =
      Next == TheSession.Buffers.end() ? nullptr : &Next->second;
  if (Next == TheSession.Buffers.begin())
    return Above;
  const Buffer *Below = &std::prev(Next)->second;
  // An index runs past the end far more often than below the begin.
  bool AboveIsClose = Above && Above->Begin - Address < 256 &&
                      Address - Below->end() > 4 * (Above->Begin - Address);
  return AboveIsClose ? Above : Below;
}

/// The first gap of \p Bytes from \p From on, or 0.
static uint64_t findGap(uint64_t From, uint64_t Bytes) {
  uint64_t End = AK_DEVICE_BASE + deviceBytes();
  auto Next = TheSession.Buffers.lower_bound(From);
  for (; Next != TheSession.Buffers.end(); ++Next) {
    if (Next->first >= From + Bytes + GuardBytes)
      return From;
    From = alignTo(Next->second.end(), 256) + GuardBytes;
  }
  return From + Bytes + GuardBytes <= End ? From : 0;
}

// Memory that was given back rests until the whole heap has been used once.
Expected<uint64_t> allocateDevice(uint64_t Bytes, StringRef Name,
                                  uint64_t MisalignBy) {
  uint64_t Room = alignTo(Bytes + MisalignBy, 256) + GuardBytes;
  uint64_t At = 0;
  if (Room < deviceBytes()) {
    At = findGap(TheSession.HeapNext, Room);
    if (!At)
      At = findGap(AK_DEVICE_BASE + AK_SHARED_BYTES + GuardBytes, Room);
  }
  if (!At)
    return createStringError("the emulated device has no " + Twine(Bytes) +
                             " bytes left for '" + Name + "'");
  uint64_t Begin = At + MisalignBy;
  memset(reinterpret_cast<void *>(At - GuardBytes), GuardByte,
         GuardBytes + MisalignBy);
  memset(reinterpret_cast<void *>(Begin), FreshByte, Bytes);
  memset(reinterpret_cast<void *>(Begin + Bytes), GuardByte,
         At + Room - Begin - Bytes);
  setShadow(At - GuardBytes, Room + GuardBytes, AK_UNADDRESSABLE);
  setShadow(Begin, Bytes, AK_UNINITIALISED);
  TheSession.Buffers[Begin] = {Begin, Bytes, Name.str()};
  uint64_t Gap =
      std::min(std::max(Bytes, LeastGap), TheSession.Options.HeapBytes / 64);
  TheSession.HeapNext = At + Room + GuardBytes + alignTo(Gap, 4096);
  return Begin;
}

/// Gives whole pages back to the system; they read as zero afterwards, which
/// for shadow means unaddressable.
static void dropPages(uint64_t Begin, uint64_t End) {
  Begin = alignTo(Begin, 4096);
  End &= ~4095ull;
  if (Begin < End)
    madvise(reinterpret_cast<void *>(Begin), End - Begin, MADV_DONTNEED);
}

static void dropBuffer(uint64_t Begin, uint64_t End) {
  uint64_t From = Begin - AK_DEVICE_BASE, To = End - AK_DEVICE_BASE;
  dropPages(Begin, End);
  dropPages(AK_CELL_BASE + From * 4, AK_CELL_BASE + To * 4);
  dropPages(AK_BYTE_CELL_BASE + From * 16, AK_BYTE_CELL_BASE + To * 16);
}

void releaseDevice(uint64_t Address) {
  auto Found = TheSession.Buffers.find(Address);
  if (Found == TheSession.Buffers.end())
    return;
  const Buffer &Gone = Found->second;
  if (Gone.Size >= LargeBytes)
    dropBuffer(Gone.Begin, Gone.end());
  setShadow(Address, std::min(Gone.Size, LargeBytes), AK_UNADDRESSABLE);
  setShadow(Gone.end() - std::min(Gone.Size, LargeBytes),
            std::min(Gone.Size, LargeBytes), AK_UNADDRESSABLE);
  TheSession.Buffers.erase(Found);
}

static bool isGuard(uint64_t From, uint64_t To) {
  for (auto *P = reinterpret_cast<unsigned char *>(From);
       P < reinterpret_cast<unsigned char *>(To); ++P)
    if (*P != GuardByte)
      return false;
  return true;
}

bool guardsIntact() {
  for (const auto &[Begin, B] : TheSession.Buffers)
    if (!isGuard(Begin - GuardBytes, Begin) ||
        !isGuard(B.end(), alignTo(B.end(), 256) + GuardBytes))
      return false;
  return true;
}

static void renumber(Cell &C) {
  if (C.writer >= AK_HOST_WRITTEN && C.writer != AK_SPLIT)
    C.writer = AK_HOST_WRITTEN;
  C.reader = 0;
}

void renumberSegments() {
  for (const auto &[Begin, B] : TheSession.Buffers)
    for (uint64_t At = Begin & ~3ull; At < B.end(); At += 4) {
      renumber(*cellOf(At));
      if (cellOf(At)->writer == AK_SPLIT)
        for (unsigned I = 0; I < 4; ++I)
          renumber(byteCellOf(At)[I]);
    }
  resetShared(AK_DEVICE_BASE);
  setDynamicShared(AK_DEVICE_BASE, TheSession.DynamicShared, 0);
  TheSession.Segment = 1;
}

} // namespace autokernel::emulator
