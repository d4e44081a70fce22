#include "verify/oracle/TwinMemory.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <sys/mman.h>
#include <type_traits>
#include <vector>

namespace autokernel {
namespace {

/// 16 bytes of shadow for each two bytes of memory: a float takes two such
/// granules, a double four. The kind comes first in each slot.
struct HalfSlot {
  uint16_t Kind;
  uint16_t Bits;
  float Value, Magnitude, Error; // not squared: bfloat's would underflow
};
struct NarrowSlot {
  uint16_t Kind;
  uint32_t Bits;
  Shadow<double> Triple;
};
struct WideSlot {
  uint16_t Kind;
  uint64_t Bits;
  Shadow<long double> Triple;
};
constexpr unsigned GranuleBytes = 2, SlotBytes = 16;
static_assert(sizeof(HalfSlot) <= SlotBytes);
static_assert(sizeof(NarrowSlot) <= 4 / GranuleBytes * SlotBytes);
static_assert(sizeof(WideSlot) <= 8 / GranuleBytes * SlotBytes);

constexpr unsigned ChunkBits = 22, AddressBits = 47;
constexpr uint64_t ChunkSize = 1ull << ChunkBits;
constexpr uint64_t ShadowSize =
    ChunkSize / GranuleBytes * SlotBytes + sizeof(WideSlot);

char *reserve(uint64_t Size) {
  void *P = mmap(nullptr, Size, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return P == MAP_FAILED ? nullptr : static_cast<char *>(P);
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
    if (A >> AddressBits || !Table)
      return nullptr;
    char *Chunk = Table[A >> ChunkBits];
    return Chunk ? Chunk + offset(A) : nullptr;
  }

  char *findOrCreate(void *Address) {
    if (char *Slot = find(Address))
      return Slot;
    uint64_t A = reinterpret_cast<uint64_t>(Address);
    char *Chunk = A >> AddressBits || !Table ? nullptr : reserve(ShadowSize);
    if (!Chunk) {
      // The value will count as exact: the judge must know.
      autokernel_twin_missing("memory for shadows");
      return nullptr;
    }
    Table[A >> ChunkBits] = Chunk;
    Used.push_back(A >> ChunkBits);
    return Chunk + offset(A);
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

uint16_t tag(uint32_t Kind) { return static_cast<uint16_t>(Kind); }

/// The slot if it holds this kind and these bits.
template <class SlotType>
const SlotType *match(const void *Address, uint64_t Bits, uint32_t Kind) {
  auto *Slot = reinterpret_cast<const SlotType *>(memory().find(Address));
  return Slot && Slot->Kind == tag(Kind) && Slot->Bits == Bits ? Slot : nullptr;
}

Shadow<double> widened(const HalfSlot &Slot) {
  return {Slot.Value, Slot.Magnitude, double(Slot.Error) * Slot.Error};
}

template <class SlotType, class T>
const Shadow<T> *load(const void *Address, uint64_t Bits, T Native,
                      uint32_t Kind) {
  static Shadow<T> Made; // where no slot can be pointed at
  auto *Slot = match<SlotType>(Address, Bits, Kind);
  if constexpr (!std::is_same_v<SlotType, HalfSlot>) {
    if (Slot)
      return &Slot->Triple;
    Made = exactly(Native);
  } else {
    Made = Slot ? widened(*Slot) : exactly(Native);
  }
  return &Made;
}

template <class SlotType, class T>
void store(void *Address, uint64_t Bits, uint32_t Kind, Shadow<T> Triple) {
  char *At = memory().findOrCreate(Address);
  if (!At)
    return;
  auto &Slot = *reinterpret_cast<SlotType *>(At);
  Slot.Kind = tag(Kind);
  Slot.Bits = static_cast<decltype(Slot.Bits)>(Bits);
  if constexpr (!std::is_same_v<SlotType, HalfSlot>) {
    Slot.Triple = Triple;
  } else {
    Slot.Value = float(Triple.Value);
    Slot.Magnitude = float(Triple.Magnitude);
    Slot.Error = float(std::sqrt(Triple.SquaredError));
  }
}

bool isHalf(uint32_t Kind) { return byteSize(FloatKind(Kind)) == 2; }

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
  uint16_t Tag;
  std::memcpy(&Tag, At, sizeof(Tag));
  auto Kind = FloatKind(Tag);
  if (Kind == FloatKind::None || byteSize(Kind) != ByteSize)
    return {};
  uint64_t Bits = 0;
  std::memcpy(&Bits, Element, ByteSize);
  if (ByteSize == 8) {
    auto *Wide = match<WideSlot>(Element, Bits, Tag);
    return Wide ? FoundShadow{Kind, Wide->Triple} : FoundShadow{};
  }
  Shadow<double> T = {};
  if (auto *Half = isHalf(Tag) ? match<HalfSlot>(Element, Bits, Tag) : nullptr)
    T = widened(*Half);
  else if (auto *Narrow =
               isHalf(Tag) ? nullptr : match<NarrowSlot>(Element, Bits, Tag))
    T = Narrow->Triple;
  else
    return {};
  return {Kind, {T.Value, T.Magnitude, T.SquaredError}};
}

static double clamped(long double V) {
  constexpr long double Max = std::numeric_limits<double>::max();
  return V > Max ? std::numeric_limits<double>::infinity() : double(V);
}

TwinValue twinValueOf(const void *Element, unsigned ByteSize) {
  FoundShadow Found = findShadow(Element, ByteSize);
  if (Found.Kind == FloatKind::None)
    return {};
  const Shadow<long double> &T = Found.Triple;
  long double Error2 =
      T.SquaredError + reorderError2(Found.Kind, T.Value, T.Magnitude);
  return {T.Value, clamped(T.Magnitude), clamped(std::sqrt(Error2)), true};
}

void forgetShadows() {
  memory().clear();
  missing().clear();
  autokernel_twin_undecided = 0;
}

const std::set<std::string> &missingShadows() { return missing(); }

} // namespace autokernel

using namespace autokernel;

const Shadow<double> *autokernel_twin_load_d(const void *Address, uint64_t Bits,
                                             double Native, uint32_t Kind) {
  if (isHalf(Kind))
    return load<HalfSlot, double>(Address, Bits, Native, Kind);
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
  if (isHalf(Kind))
    store<HalfSlot, double>(Address, Bits, Kind, {V, M, E2});
  else
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

uint64_t autokernel_twin_undecided = 0;

void autokernel_twin_missing(const char *Name) { missing().insert(Name); }
