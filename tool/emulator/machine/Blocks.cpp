//===- Blocks.cpp - scheduling of threads, barriers -----------------------===//

#include "emulator/machine/Blocks.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace llvm;

// What the candidate's built-in variables are bound to.
extern "C" {
autokernel::emulator::Dim __ak_thread_idx, __ak_block_idx, __ak_block_dim,
    __ak_grid_dim;
void *__ak_shared_arena, *__ak_dynamic_shared;
}

namespace autokernel::emulator {

Index3 blockIndex(uint32_t Linear) {
  const Dim &G = TheSession.Grid;
  return {Linear % G.x, (Linear / G.x) % G.y,
          unsigned(Linear / (uint64_t(G.x) * G.y))};
}

Index3 threadIndex(unsigned Linear) {
  const Dim &B = TheSession.Block;
  return {Linear % B.x, (Linear / B.x) % B.y, Linear / (B.x * B.y)};
}

static void refreshThread(const BlockRun &B, unsigned Index) {
  __ak_state &S = state();
  S.current = B.Segment << AK_SEGMENT_SHIFT | Word(Index) << AK_THREAD_SHIFT |
              Word(B.Threads[Index].Epoch) << AK_EPOCH_SHIFT;
  S.manyWarp = (S.current & ~AK_LANE_AND_SITE) | AK_MANY_WARP;
}

static void refreshSegment(const BlockRun &B) {
  __ak_state &S = state();
  S.segmentLow = B.Segment << AK_SEGMENT_SHIFT;
  S.manyBlock = S.segmentLow | AK_MANY_BLOCK;
  // Segments of cooperative blocks interleave, so only the slow path knows
  // which of them are this block's.
  uint64_t First = S.cooperative ? B.Segment : B.FirstSegment;
  S.blockLow = First << AK_SEGMENT_SHIFT;
}

static void enterBlock(BlockRun &B) {
  TheSession.Current = &B;
  Index3 I = blockIndex(B.Linear);
  __ak_block_idx = {I.X, I.Y, I.Z};
  __ak_shared_arena = reinterpret_cast<void *>(B.Arena);
  __ak_dynamic_shared = reinterpret_cast<void *>(
      B.Arena + alignTo(TheSession.SharedEnd + 1024, 1024));
  refreshSegment(B);
}

static inline void setRunning(BlockRun &B, unsigned Index) {
  if (TheSession.Current != &B)
    enterBlock(B);
  B.Running = Index;
  B.Threads[Index].State = ThreadState::Running;
  __ak_thread_idx = TheSession.ThreadIds[Index];
  refreshThread(B, Index);
}

void advanceSegment(BlockRun &B) {
  B.Segment = ++TheSession.Segment;
  TheSession.Owners.push_back(B.Linear);
  for (Thread &T : B.Threads)
    T.Epoch = 0;
  if (TheSession.Current == &B)
    refreshSegment(B);
}

static void orderThreads(BlockRun &B) {
  for (unsigned I = 0; I < B.Count; ++I)
    B.Order[I] = TheSession.Options.Schedule == MachineOptions::Reverse
                     ? B.Count - 1 - I
                     : I;
  if (TheSession.Options.Schedule == MachineOptions::Random)
    std::shuffle(B.Order.begin(), B.Order.end(), TheSession.Generator);
}

void prepareBlock(BlockRun &B, uint32_t Linear, uint64_t Arena) {
  unsigned Count = unsigned(TheSession.Block.volume());
  bool Fresh = B.Count != Count;
  B.Linear = Linear;
  B.Arena = Arena;
  B.Count = B.Live = Count;
  B.Next = B.ReadyCount = B.Arrived = B.AtGrid = 0;
  B.Threads.assign(Count, Thread());
  B.Warps.resize((Count + 31) / 32);
  for (unsigned W = 0; W < B.Warps.size(); ++W) {
    unsigned Lanes = std::min(32u, Count - W * 32);
    B.Warps[W].Existing = Lanes == 32 ? ~0u : (1u << Lanes) - 1;
    B.Warps[W].Waiting = B.Warps[W].Exited = B.Warps[W].AtActiveMask = 0;
  }
  B.ReadyBits.assign((Count + 63) / 64, 0);
  B.Yielded.clear();
  B.Order.resize(Count);
  if (Fresh || TheSession.Options.Schedule == MachineOptions::Random)
    orderThreads(B);
  B.Fenced = false;
  B.Acquired.clear();
  B.AcquiredByThread.clear();
  B.FirstSegment = B.Segment = ++TheSession.Segment;
  TheSession.Owners.push_back(Linear);
  TheSession.Current = nullptr;
}

void makeReady(BlockRun &B, unsigned Index) {
  B.Threads[Index].State = ThreadState::Ready;
  B.ReadyBits[Index / 64] |= uint64_t(1) << (Index % 64);
  ++B.ReadyCount;
}

static unsigned takeReady(BlockRun &B, unsigned Index) {
  B.ReadyBits[Index / 64] &= ~(uint64_t(1) << (Index % 64));
  --B.ReadyCount;
  return Index;
}

// The last to arrive simply goes on.
void resumeMyself(BlockRun &B) {
  takeReady(B, B.Running);
  B.Threads[B.Running].State = ThreadState::Running;
  refreshThread(B, B.Running);
}

static unsigned pickRandom(BlockRun &B) {
  unsigned Rank = TheSession.Generator() % B.ReadyCount;
  for (unsigned W = 0;; ++W) {
    unsigned Here = __builtin_popcountll(B.ReadyBits[W]);
    if (Rank >= Here) {
      Rank -= Here;
      continue;
    }
    uint64_t Bits = B.ReadyBits[W];
    while (Rank--)
      Bits &= Bits - 1;
    return takeReady(B, W * 64 + __builtin_ctzll(Bits));
  }
}

static unsigned pickReady(BlockRun &B) {
  if (TheSession.Options.Schedule == MachineOptions::Random)
    return pickRandom(B);
  if (TheSession.Options.Schedule == MachineOptions::Reverse)
    for (size_t W = B.ReadyBits.size(); W-- > 0;)
      if (B.ReadyBits[W])
        return takeReady(B, W * 64 + 63 - __builtin_clzll(B.ReadyBits[W]));
  for (unsigned W = 0;; ++W)
    if (B.ReadyBits[W])
      return takeReady(B, W * 64 + __builtin_ctzll(B.ReadyBits[W]));
}

static BlockRun *runnableBlock() {
  if (TheSession.Current && TheSession.Current->hasRunnable())
    return TheSession.Current;
  for (BlockRun *B : TheSession.Blocks)
    if (B->hasRunnable())
      return B;
  return nullptr;
}

static std::string waiters() {
  std::string Text;
  raw_string_ostream OS(Text);
  unsigned Shown = 0, All = 0;
  for (BlockRun *B : TheSession.Blocks)
    for (unsigned I = 0; I < B->Count; ++I) {
      const Thread &T = B->Threads[I];
      if (T.State == ThreadState::Done || (++All, Shown == 6))
        continue;
      Index3 Index = threadIndex(I);
      OS << (Shown++ ? ", " : "") << "thread (" << Index.X << "," << Index.Y
         << "," << Index.Z << ") at " << placeOf(T.At)
         << (T.State == ThreadState::AtWarp   ? " (warp operation)"
             : T.State == ThreadState::AtGrid ? " (grid barrier)"
                                              : " (__syncthreads)");
    }
  if (All > Shown)
    OS << " and " << All - Shown << " more";
  return Text;
}

static void reportDeadlock() {
  for (BlockRun *B : TheSession.Blocks)
    for (unsigned I = 0; I < B->Count; ++I)
      if (B->Threads[I].State != ThreadState::Done) {
        TheSession.Current = B;
        B->Running = I;
        return report("deadlock", B->Threads[I].At,
                      "all threads that are left wait: " + waiters());
      }
}

static void worker();

static void *startFibre(BlockRun &B) {
  Stack *S = acquireStack();
  if (TheSession.Current != &B)
    enterBlock(B);
  B.Threads[B.Order[B.Next]].OnStack = S;
  return prepareStack(S, worker);
}

static void *resume(BlockRun &B, unsigned Index) {
  setRunning(B, Index);
  return B.Threads[Index].Context;
}

static bool allDone() {
  return std::all_of(TheSession.Blocks.begin(), TheSession.Blocks.end(),
                     [](BlockRun *B) { return B->Live == 0; });
}

/// The context to go on with: somebody ready, else somebody new, else whoever
/// stepped back, else the end.
static void *nextContext() {
  BlockRun *B = runnableBlock();
  if (!B) {
    if (!allDone()) {
      reportDeadlock();
      abortLaunch(702);
    }
    return TheSession.MainContext;
  }
  if (B->ReadyCount)
    return resume(*B, pickReady(*B));
  if (B->Next < B->Count)
    return startFibre(*B);
  unsigned Index = B->Yielded.front();
  B->Yielded.pop_front();
  return resume(*B, Index);
}

/// Leaves the running fibre for good; its stack is free.
static void endFibre(Stack *Mine) {
  void *Nowhere, *Next = nextContext();
  releaseStack(Mine);
  autokernelSwitch(&Nowhere, Next);
}

static bool isSamePlace(const Site *A, const Site *B) {
  return A == B || (A->line == B->line && A->column == B->column);
}

static void reportDivergence(const Site *A, const Site *B) {
  report("divergent-barrier", A,
         "threads of the block met at different barriers; others are at " +
             placeOf(B));
}

static int barrierResult(const BlockRun &B) {
  switch (B.BarrierOperation) {
  case 1:
    return B.True;
  case 2:
    return B.True == int(B.Arrived);
  default:
    return B.True != 0;
  }
}

static void releaseBarrier(BlockRun &B) {
  const Site *At = nullptr, *Other = nullptr;
  for (unsigned I = 0; I < B.Count; ++I) {
    Thread &T = B.Threads[I];
    if (T.State != ThreadState::AtBarrier)
      continue;
    At = At ? At : T.At;
    if (!isSamePlace(At, T.At))
      Other = T.At;
    makeReady(B, I);
  }
  if (Other)
    reportDivergence(At, Other);
  B.BarrierResult = barrierResult(B);
  B.Arrived = 0;
  B.True = 0;
  advanceSegment(B);
}

static void releaseGrid() {
  for (BlockRun *B : TheSession.Blocks) {
    for (unsigned I = 0; I < B->Count; ++I)
      if (B->Threads[I].State == ThreadState::AtGrid)
        makeReady(*B, I);
    B->AtGrid = 0;
    advanceSegment(*B);
  }
  // What was written before is as if the host had done it.
  state().launchLow = TheSession.Blocks.front()->Segment << AK_SEGMENT_SHIFT;
}

static bool allAtGrid() {
  return std::all_of(TheSession.Blocks.begin(), TheSession.Blocks.end(),
                     [](BlockRun *B) { return B->AtGrid == B->Live; });
}

static void finishThread() {
  BlockRun &B = *TheSession.Current;
  B.Threads[B.Running].State = ThreadState::Done;
  --B.Live;
  if (B.Arrived && B.Arrived == B.Live)
    releaseBarrier(B);
  if (TheSession.Cooperative && B.AtGrid && allAtGrid())
    releaseGrid();
  Warp &W = B.Warps[B.Running / 32];
  if (W.Waiting)
    laneExited(B, B.Running);
  else
    W.Exited |= 1u << (B.Running % 32);
}

static bool preferOthers(BlockRun &B) {
  return TheSession.Options.Schedule == MachineOptions::Random &&
         B.ReadyCount && (TheSession.Generator() & 1);
}

static void worker() {
  for (;;) {
    BlockRun &B = *TheSession.Current;
    setRunning(B, B.Order[B.Next++]);
    Stack *Mine = B.Threads[B.Running].OnStack;
    TheSession.Running->Trampoline(TheSession.Arguments);
    BlockRun &After = *TheSession.Current;
    Mine = After.Threads[After.Running].OnStack;
    finishThread();
    if (After.Next >= After.Count || preferOthers(After))
      endFibre(Mine);
    After.Threads[After.Order[After.Next]].OnStack = Mine;
  }
}

void waitAs(ThreadState State, const Site *At) {
  BlockRun &B = *TheSession.Current;
  Thread &T = B.Threads[B.Running];
  T.State = State;
  T.At = At;
  autokernelSwitch(&T.Context, nextContext());
}

void yieldThread(const Site *At) {
  BlockRun &B = *TheSession.Current;
  if (!runnableBlock())
    return;
  B.Yielded.push_back(B.Running);
  waitAs(ThreadState::Yielded, At);
}

void runBlocks() { autokernelSwitch(&TheSession.MainContext, nextContext()); }

} // namespace autokernel::emulator

using namespace autokernel::emulator;

// The switch is a tail call: what a waiting thread leaves on its stack is what
// the next one has to fetch into the cache.
extern "C" int __ak_barrier(int Operation, int Predicate, const Site *At) {
  BlockRun &B = *TheSession.Current;
  unsigned Index = B.Running;
  Thread &T = B.Threads[Index];
  T.State = ThreadState::AtBarrier;
  T.At = At;
  B.BarrierOperation = Operation;
  B.True += Predicate != 0;
  if (++B.Arrived == B.Live) {
    releaseBarrier(B);
    resumeMyself(B);
    return B.BarrierResult;
  }
  if (B.Warps[Index / 32].AtActiveMask)
    settleActiveMask(B, Index / 32);
  void *Next = nextContext();
  if (Operation == 0)
    return autokernelSwitch(&T.Context, Next);
  autokernelSwitch(&T.Context, Next);
  return B.BarrierResult;
}

extern "C" void __ak_grid_sync(const Site *At) {
  if (!TheSession.Cooperative) {
    report("bad-launch", At, "grid.sync() needs cudaLaunchCooperativeKernel");
    abortLaunch(719);
  }
  BlockRun &B = *TheSession.Current;
  B.Threads[B.Running].State = ThreadState::AtGrid;
  B.Threads[B.Running].At = At;
  ++B.AtGrid;
  if (allAtGrid())
    releaseGrid();
  else
    return waitAs(ThreadState::AtGrid, At);
  resumeMyself(B);
}

extern "C" void __ak_yield(const Site *At) { yieldThread(At); }
