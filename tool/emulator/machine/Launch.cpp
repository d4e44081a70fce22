//===- Launch.cpp - checks a launch and runs its blocks -------------------===//

#include "emulator/machine/Launch.h"
#include "emulator/machine/Blocks.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>
#include <numeric>

using namespace llvm;

extern "C" {
extern autokernel::emulator::Dim __ak_block_dim, __ak_grid_dim;
const autokernel::emulator::Site *__ak_host_site;
}

namespace autokernel::emulator {

// Before segment numbers run out of their 24 bits.
static constexpr uint64_t LastSegment = (1 << 24) - 4096;
static constexpr int Steps = 1 << 16;
static constexpr uint64_t MaxCooperativeThreads = 1 << 17;

static int refuse(StringRef Kind, int Error, const Twine &Message) {
  report(Kind, __ak_host_site, Message);
  TheSession.LastError = Error;
  return Error;
}

static std::string text(const Dim &D) {
  return (Twine(D.x) + "x" + Twine(D.y) + "x" + Twine(D.z)).str();
}

static int checkShape(const Kernel &K, const Dim &Grid, const Dim &Block) {
  const MachineOptions &O = TheSession.Options;
  if (!Grid.volume() || !Block.volume())
    return refuse("bad-launch", 9,
                  "'" + K.Name +
                      "' is launched with an empty grid or block (grid " +
                      text(Grid) + ", block " + text(Block) + ")");
  if (Block.volume() > O.MaxThreadsPerBlock || Block.x > O.MaxBlockX ||
      Block.y > O.MaxBlockY || Block.z > O.MaxBlockZ)
    return refuse("bad-launch", 9,
                  "'" + K.Name + "' is launched with blocks of " + text(Block) +
                      " threads; the limit is " + Twine(O.MaxThreadsPerBlock));
  if (Grid.x > O.MaxGridX || Grid.y > O.MaxGridY || Grid.z > O.MaxGridZ)
    return refuse("bad-launch", 9,
                  "'" + K.Name + "' is launched with a grid of " + text(Grid) +
                      "; the limits are " +
                      text({O.MaxGridX, O.MaxGridY, O.MaxGridZ}));
  if (K.MaxThreads && Block.volume() > K.MaxThreads)
    return refuse("bad-launch", 1,
                  "'" + K.Name + "' is launched with " + Twine(Block.volume()) +
                      " threads a block, but its __launch_bounds__ say " +
                      Twine(K.MaxThreads));
  return 0;
}

static int checkShared(const Kernel &K, uint64_t Dynamic) {
  uint64_t Limit =
      std::max(TheSession.Options.SharedBytes,
               K.DynamicLimit ? K.DynamicLimit + K.StaticShared : 0);
  if (K.StaticShared + Dynamic <= Limit)
    return 0;
  return refuse("shared-overflow", 1,
                "'" + K.Name + "' is launched with " + Twine(Dynamic) +
                    " bytes of dynamic shared memory beside " +
                    Twine(K.StaticShared) + " static ones; the limit is " +
                    Twine(Limit) +
                    (K.DynamicLimit ? "" : " without cudaFuncSetAttribute"));
}

void leaveKernel() {
  void *Nowhere;
  autokernelSwitch(&Nowhere, TheSession.MainContext);
  __builtin_unreachable();
}

void abortLaunch(int Error) {
  TheSession.LastError = Error;
  TheSession.Dead = true;
  if (TheSession.InLaunch)
    leaveKernel();
}

static std::vector<uint32_t> randomBlocks(uint64_t Count) {
  std::vector<uint32_t> Order(Count);
  std::iota(Order.begin(), Order.end(), 0);
  std::shuffle(Order.begin(), Order.end(), TheSession.Generator);
  return Order;
}

static void numberThreads(const Dim &Block) {
  std::vector<Dim> &Ids = TheSession.ThreadIds;
  Ids.clear();
  for (unsigned Z = 0; Z < Block.z; ++Z)
    for (unsigned Y = 0; Y < Block.y; ++Y)
      for (unsigned X = 0; X < Block.x; ++X)
        Ids.push_back({X, Y, Z});
}

static void beginLaunch(const LaunchRequest &L) {
  Session &S = TheSession;
  S.Running = L.What;
  S.Arguments = L.Arguments;
  S.Grid = __ak_grid_dim = L.Grid;
  S.Block = __ak_block_dim = L.Block;
  S.Cooperative = L.Cooperative;
  state().cooperative = L.Cooperative;
  S.DynamicShared = L.Shared;
  numberThreads(L.Block);
  S.StepsUsed = 0;
  S.Started = std::chrono::steady_clock::now();
  S.FenceSeen = false;
  S.SyncVariables.clear();
  S.Generator.seed(S.Options.Seed + S.Statistics.Launches);
  if (S.Segment + L.Grid.volume() > LastSegment)
    renumberSegments();
  S.LaunchSegment = S.Segment + 1;
  S.Owners.clear();
  state().launchLow = S.LaunchSegment << AK_SEGMENT_SHIFT;
  state().steps = Steps;
  S.InLaunch = true;
  ++S.Statistics.Launches;
}

static void endLaunch() {
  Session &S = TheSession;
  S.InLaunch = false;
  S.Current = nullptr;
  S.Blocks.clear();
  S.Statistics.Steps += S.StepsUsed + uint64_t(Steps - state().steps);
  if (S.Dead)
    releaseAllStacks();
}

/// Numbers ran out within one launch; what earlier blocks did is forgotten.
static void renumberInLaunch() {
  renumberSegments();
  TheSession.LaunchSegment = TheSession.Segment + 1;
  TheSession.Owners.clear();
  state().launchLow = TheSession.LaunchSegment << AK_SEGMENT_SHIFT;
}

// Loops are counted where they turn; this is for kernels without any.
static void abandonLaunch() {
  report("time-budget", __ak_host_site, "the kernel doesn't end in time");
  TheSession.LastError = 702;
  TheSession.Dead = true;
}

static void runInTurn() {
  static BlockRun Only;
  uint64_t Count = TheSession.Grid.volume();
  auto Schedule = TheSession.Options.Schedule;
  bool Shuffled = Schedule == MachineOptions::Random && Count <= (1 << 22);
  std::vector<uint32_t> Order;
  if (Shuffled)
    Order = randomBlocks(Count);
  TheSession.Blocks = {&Only};
  Only.Count = 0;
  for (uint64_t I = 0; I < Count && !TheSession.Dead; ++I) {
    if (TheSession.Segment > LastSegment)
      renumberInLaunch();
    uint64_t Linear = Shuffled                              ? Order[I]
                      : Schedule == MachineOptions::Reverse ? Count - 1 - I
                                                            : I;
    prepareBlock(Only, uint32_t(Linear), AK_DEVICE_BASE);
    runBlocks();
    if (I % 256 == 255 && isOutOfTime())
      abandonLaunch();
    ++TheSession.Statistics.Blocks;
    TheSession.Statistics.Threads += Only.Count;
  }
}

// All blocks are alive at once, each with an arena of its own.
static void runTogether() {
  std::vector<BlockRun> Runs(TheSession.Grid.volume());
  uint64_t Arena = AK_DEVICE_BASE;
  for (uint32_t I = 0; I < Runs.size(); ++I, Arena += arenaBytes()) {
    resetShared(Arena);
    setDynamicShared(Arena, TheSession.DynamicShared, 0);
    prepareBlock(Runs[I], I, Arena);
    TheSession.Blocks.push_back(&Runs[I]);
  }
  runBlocks();
  TheSession.Statistics.Blocks += Runs.size();
  TheSession.Statistics.Threads += Runs.size() * TheSession.Block.volume();
}

int launch(const LaunchRequest &L) {
  if (TheSession.Dead)
    return TheSession.LastError;
  if (int Error = checkShape(*L.What, L.Grid, L.Block))
    return Error;
  if (int Error = checkShared(*L.What, L.Shared))
    return Error;
  uint64_t Arenas = AK_SHARED_BYTES / arenaBytes();
  if (L.Cooperative &&
      (L.Grid.volume() > Arenas ||
       L.Grid.volume() * L.Block.volume() > MaxCooperativeThreads))
    return refuse("bad-launch", 720,
                  "the grid " + text(L.Grid) +
                      " is too large to be on the device all at once");
  setDynamicShared(AK_DEVICE_BASE, L.Shared, TheSession.DynamicShared);
  beginLaunch(L);
  if (L.Cooperative)
    runTogether();
  else
    runInTurn();
  endLaunch();
  return TheSession.Dead ? TheSession.LastError : 0;
}

} // namespace autokernel::emulator
