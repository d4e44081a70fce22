#include "verify/oracle/TwinMemory.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <vector>

namespace autokernel {
namespace {

/// 32 bytes of shadow for each two bytes of memory; a double's slot takes two
/// of the four that lie beside it. Kind comes first in both.
struct NarrowSlot {
  FloatKind Kind;
  uint32_t Bits;
  Shadow<double> Triple;
};
struct WideSlot {
  FloatKind Kind;
  uint64_t Bits;
  Shadow<long double> Triple;
};
constexpr unsigned GranuleBytes = 2, SlotBytes = 32;
static_assert(sizeof(NarrowSlot) == SlotBytes);
static_assert(sizeof(WideSlot) <= 8 / GranuleBytes * SlotBytes);

constexpr unsigned ChunkBits = 22, AddressBits = 47;
constexpr uint64_t ChunkSize = 1ull << ChunkBits;
constexpr uint64_t ShadowSize =
    ChunkSize / GranuleBytes * SlotBytes + sizeof(WideSlot);

char *reserve(uint64_t Size) {
  void *P = mmap(nullptr, Size, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (P == MAP_FAILED)
    throw std::bad_alloc();
  return static_cast<char *>(P);
}

/// Two levels: a table over the address space, and a chunk of slots for each
/// 4 MiB of memory that was ever stored to.
class ShadowMemory {
public:
  ShadowMemory()
      : Table(reinterpret_cast<char **>(
            reserve(sizeof(char *) << (AddressBits - ChunkBits)))) {}

  char *find(const void *Address) const {
    uint64_t A = reinterpret_cast<uint64_t>(Address);
    if (A >> AddressBits)
      return nullptr;
    char *Chunk = Table[A >> ChunkBits];
    return Chunk ? Chunk + offset(A) : nullptr;
  }

  char *findOrCreate(void *Address) {
    if (char *Slot = find(Address))
      return Slot;
    uint64_t A = reinterpret_cast<uint64_t>(Address);
    if (A >> AddressBits)
      return nullptr;
    Table[A >> ChunkBits] = reserve(ShadowSize);
    Used.push_back(A >> ChunkBits);
    return find(Address);
  }

  void clear() {
    for (uint64_t Index : Used) {
      munmap(Table[Index], ShadowSize);
      Table[Index] = nullptr;
    }
    Used.clear();
  }

private:
  static uint64_t offset(uint64_t A) {
    return (A & (ChunkSize - 1)) / GranuleBytes * SlotBytes;
  }
  char **Table;
  std::vector<uint64_t> Used;
};

ShadowMemory &memory() {
  static ShadowMemory Memory;
  return Memory;
}

std::set<std::string> &missing() {
  static std::set<std::string> Names;
  return Names;
}

template <class T> Shadow<T> exactly(T Native) {
  return {Native, std::isfinite(Native) ? std::abs(Native) : T(0), T(0)};
}

template <class SlotType, class T>
const Shadow<T> *load(const void *Address, uint64_t Bits, T Native,
                      uint32_t Kind) {
  static Shadow<T> Exact;
  auto *Slot = reinterpret_cast<const SlotType *>(memory().find(Address));
  if (Slot && Slot->Kind == FloatKind(Kind) && Slot->Bits == Bits)
    return &Slot->Triple;
  Exact = exactly(Native);
  return &Exact;
}

template <class SlotType, class T>
void store(void *Address, uint64_t Bits, uint32_t Kind, Shadow<T> Triple) {
  if (char *At = memory().findOrCreate(Address))
    *reinterpret_cast<SlotType *>(At) = {
        FloatKind(Kind), decltype(SlotType::Bits)(Bits), Triple};
}

/// Calls Visit(To, From, bytes) over pieces that cross no chunk on either
/// side; From may be null.
template <class Fn>
void forPieces(char *To, const char *From, uint64_t Size, Fn Visit) {
  auto Room = [](const char *P) {
    return ChunkSize - (reinterpret_cast<uint64_t>(P) & (ChunkSize - 1));
  };
  while (Size) {
    uint64_t N = std::min(Size, Room(To));
    if (From)
      N = std::min(N, Room(From));
    Visit(To, From, N);
    To += N;
    From = From ? From + N : nullptr;
    Size -= N;
  }
}

uint64_t slotSpan(uint64_t Bytes) {
  return (Bytes + GranuleBytes - 1) / GranuleBytes * SlotBytes;
}

void clearPiece(char *To, const char *, uint64_t N) {
  if (char *Slots = memory().find(To))
    std::memset(Slots, 0, slotSpan(N));
}

void copyPiece(char *To, const char *From, uint64_t N) {
  char *Source = memory().find(From);
  if (!Source)
    return clearPiece(To, nullptr, N);
  if (char *Target = memory().findOrCreate(To))
    std::memmove(Target, Source, slotSpan(N));
}

} // namespace

FoundShadow findShadow(const void *Element, unsigned ByteSize) {
  const char *At = memory().find(Element);
  if (!At)
    return {};
  auto *Narrow = reinterpret_cast<const NarrowSlot *>(At);
  if (Narrow->Kind == FloatKind::None || byteSize(Narrow->Kind) != ByteSize)
    return {};
  uint64_t Bits = 0;
  std::memcpy(&Bits, Element, ByteSize);
  if (ByteSize == 8) {
    auto *Wide = reinterpret_cast<const WideSlot *>(At);
    if (Wide->Bits != Bits)
      return {};
    return {Wide->Kind, Wide->Triple};
  }
  if (Narrow->Bits != Bits)
    return {};
  const Shadow<double> &T = Narrow->Triple;
  return {Narrow->Kind, {T.Value, T.Magnitude, T.SquaredError}};
}

void forgetShadows() {
  memory().clear();
  missing().clear();
}

const std::set<std::string> &missingShadows() { return missing(); }

} // namespace autokernel

using namespace autokernel;

const Shadow<double> *autokernel_twin_load_d(const void *Address, uint64_t Bits,
                                             double Native, uint32_t Kind) {
  return load<NarrowSlot, double>(Address, Bits, Native, Kind);
}

const Shadow<long double> *autokernel_twin_load_x(const void *Address,
                                                  uint64_t Bits,
                                                  long double Native,
                                                  uint32_t Kind) {
  return load<WideSlot, long double>(Address, Bits, Native, Kind);
}

void autokernel_twin_store_d(void *Address, uint64_t Bits, uint32_t Kind,
                             double V, double M, double E2) {
  store<NarrowSlot, double>(Address, Bits, Kind, {V, M, E2});
}

void autokernel_twin_store_x(void *Address, uint64_t Bits, uint32_t Kind,
                             long double V, long double M, long double E2) {
  store<WideSlot, long double>(Address, Bits, Kind, {V, M, E2});
}

void autokernel_twin_copy(void *To, const void *From, uint64_t Size) {
  auto *T = static_cast<char *>(To);
  auto *F = static_cast<const char *>(From);
  if (T <= F || T >= F + Size)
    return forPieces(T, F, Size, copyPiece);
  // Overlap to the right: go through a buffer of pieces from the end.
  for (uint64_t Left = Size; Left;) {
    uint64_t N = Left % GranuleBytes ? 1 : GranuleBytes;
    Left -= N;
    copyPiece(T + Left, F + Left, N);
  }
}

void autokernel_twin_clear(void *At, uint64_t Size) {
  forPieces(static_cast<char *>(At), nullptr, Size, clearPiece);
}

void autokernel_twin_missing(const char *Name) { missing().insert(Name); }
