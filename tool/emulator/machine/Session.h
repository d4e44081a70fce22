//===- Session.h - the machine's insides ------------------------*- C++ -*-===//
//
// The state that the machine's parts share, and what each part offers to the
// others. One global session: the candidate's code calls plain C functions.
//
//===----------------------------------------------------------------------===//
#ifndef AUTOKERNEL_EMULATOR_MACHINE_SESSION_H
#define AUTOKERNEL_EMULATOR_MACHINE_SESSION_H

#include "emulator/Machine.h"
#include "emulator/headers/autokernel_state.h"
#include "llvm/ADT/StringMap.h"
#include <chrono>
#include <map>
#include <random>
#include <unordered_map>

namespace autokernel::emulator {

using Site = __ak_site;
using Cell = __ak_cell;
using Word = unsigned long long;

struct Dim {
  unsigned x, y, z;
  uint64_t volume() const { return uint64_t(x) * y * z; }
};

struct Kernel {
  std::string Symbol, Name;
  void (*Trampoline)(void **) = nullptr;
  uint64_t StaticShared = 0;
  unsigned MaxThreads = 0;
  uint64_t DynamicLimit = 0; ///< From cudaFuncSetAttribute.
};

struct SharedRange {
  uint64_t Offset, Size;
  std::string Name;
};

struct Buffer {
  uint64_t Begin, Size;
  std::string Name;
  uint64_t end() const { return Begin + Size; }
};

/// An address on which blocks synchronise: who released what, and when.
struct SyncVariable {
  struct Release {
    uint64_t Stamp = 0;
    uint64_t Segment = 0;
    /// What the block itself had acquired: addresses and stamps.
    std::unordered_map<uint64_t, uint64_t> Seen;
  };
  std::unordered_map<uint32_t, Release> ByBlock;
  /// The same for threads (block * 1024 + thread): locks within a block.
  std::unordered_map<uint64_t, uint64_t> ByThread;
};

struct BlockRun;

struct Session {
  MachineOptions Options;
  std::vector<Kernel> Kernels;
  llvm::StringMap<unsigned> KernelBySymbol;
  std::unordered_map<const void *, unsigned> KernelByStub;
  llvm::StringMap<void **> VariableSlots;
  std::unordered_map<const void *, void **> VariableByShadow;
  std::vector<SharedRange> SharedLayout;
  uint64_t SharedEnd = 0; ///< Of the static part of an arena.
  std::vector<const Site *> Sites;

  std::map<uint64_t, Buffer> Buffers; ///< Live ones by their begin.
  uint64_t HeapNext = 0;

  std::vector<Report> Reports;
  uint64_t Findings = 0;
  std::string Printed;
  MachineStatistics Statistics;
  int LastError = 0;
  bool CheckedObject = false;
  bool Dead = false; ///< An aborted launch leaves the context unusable.

  // The running launch.
  bool InLaunch = false;
  bool Cooperative = false;
  Kernel *Running = nullptr;
  void **Arguments = nullptr;
  Dim Grid{1, 1, 1}, Block{1, 1, 1};
  std::vector<Dim> ThreadIds; ///< By linear index, for the block's shape.
  uint64_t DynamicShared = 0;
  BlockRun *Current = nullptr;
  std::vector<BlockRun *> Blocks; ///< Alive ones; one unless cooperative.
  uint64_t Segment = 1;           ///< Last one given out.
  uint64_t LaunchSegment = 2;
  std::vector<uint32_t> Owners; ///< Block of each segment of this launch.
  uint64_t StepsUsed = 0;
  std::chrono::steady_clock::time_point Started;
  bool FenceSeen = false;
  uint64_t ReleaseStamp = 0;
  std::unordered_map<uint64_t, SyncVariable> SyncVariables;
  uint32_t FibreGeneration = 0;
  void *MainContext = nullptr;
  std::mt19937_64 Generator;
};

extern Session TheSession;
inline __ak_state &state() { return *(__ak_state *)AK_STATE_BASE; }

// Memory.cpp
llvm::Error reserveMemory();
void releaseMemory();
const Buffer *bufferOf(uint64_t Address, uint64_t Size = 1);
/// The buffer that an address just outside of one most likely belongs to.
const Buffer *nearestBuffer(uint64_t Address);
bool isDeviceRange(uint64_t Address, uint64_t Size);
void setShadow(uint64_t Address, uint64_t Size, Word Writer);
void resetShared(uint64_t Arena);
/// Makes \p Bytes of dynamic shared memory addressable, \p Before up to now.
void setDynamicShared(uint64_t Arena, uint64_t Bytes, uint64_t Before);
uint64_t arenaBytes();
llvm::Expected<uint64_t> allocateDevice(uint64_t Bytes, llvm::StringRef Name,
                                        uint64_t MisalignBy);
void releaseDevice(uint64_t Address);
bool guardsIntact();
/// Starts segment numbers anew: all that was written counts as the host's.
void renumberSegments();

// Report.cpp
Report describe(llvm::StringRef Kind, const Site *At);
void locate(Report &R, uint64_t Address, uint64_t Size);
void file(Report R);
std::string placeOf(const Site *At);
void report(llvm::StringRef Kind, const Site *At, const llvm::Twine &Message);

// Launch.cpp
/// Ends the launch: leaves the kernel for good when called from inside it.
void abortLaunch(int Error);
[[noreturn]] void leaveKernel();

// Atomics.cpp
/// Is what block \p Owner did in \p Segment visible to the running block?
bool isAcquired(uint32_t Owner, uint64_t Segment);
bool hasAcquired();
/// Has the running thread taken over from \p Other of its block, as by a lock?
bool isAcquiredFromThread(unsigned Other);
bool hasThreadAcquired();
void synchroniseOn(uint64_t Address, bool Acquire, bool Release);

// Traps.cpp
void installTraps();
bool isOutOfTime();
void spendBudget(const Site *At);

// Symbols.cpp
struct NamedAddress {
  const char *Name;
  void *Address;
};
std::vector<NamedAddress> allowedSymbols();

} // namespace autokernel::emulator

#endif
