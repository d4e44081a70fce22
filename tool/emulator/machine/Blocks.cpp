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

void refreshState() {
  BlockRun &B = *TheSession.Current;
  state().current = B.Segment << AK_SEGMENT_SHIFT |
                    Word(B.Running) << AK_THREAD_SHIFT |
                    Word(B.Threads[B.Running].Epoch) << AK_EPOCH_SHIFT;
  state().segmentLow = B.Segment << AK_SEGMENT_SHIFT;
  // Segments of cooperative blocks interleave, so only the slow path knows
  // which of them are this block's.
  uint64_t First = TheSession.Cooperative ? B.Segment : B.FirstSegment;
  state().blockLow = First << AK_SEGMENT_SHIFT;
}

static void enterBlock(BlockRun &B) {
  TheSession.Current = &B;
  Index3 I = blockIndex(B.Linear);
  __ak_block_idx = {I.X, I.Y, I.Z};
  __ak_shared_arena = reinterpret_cast<void *>(B.Arena);
  __ak_dynamic_shared = reinterpret_cast<void *>(
      B.Arena + alignTo(TheSession.SharedEnd + 1024, 1024));
}

static void setRunning(BlockRun &B, unsigned Index) {
  if (TheSession.Current != &B)
    enterBlock(B);
  B.Running = Index;
  B.Threads[Index].State = ThreadState::Running;
  Index3 I = threadIndex(Index);
  __ak_thread_idx = {I.X, I.Y, I.Z};
  refreshState();
}

void advanceSegment(BlockRun &B) {
  B.Segment = ++TheSession.Segment;
  TheSession.Owners.push_back(B.Linear);
  for (Thread &T : B.Threads)
    T.Epoch = 0;
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
  refreshState();
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

/// Leaves the running context for whoever can run; its stack is free if \p
/// Dying. Comes back when somebody resumes the saved context.
static void goOn(void **Save, Stack *Dying) {
  void *Nowhere;
  BlockRun *B = runnableBlock();
  bool AllDone =
      !B && std::all_of(TheSession.Blocks.begin(), TheSession.Blocks.end(),
                        [](BlockRun *R) { return R->Live == 0; });
  void *Target = TheSession.MainContext;
  if (!B && !AllDone) {
    reportDeadlock();
    abortLaunch(702);
  } else if (B && B->ReadyCount) {
    unsigned I = pickReady(*B);
    Target = B->Threads[I].Context;
    setRunning(*B, I);
  } else if (B && B->Next < B->Count) {
    Stack *S = acquireStack();
    if (TheSession.Current != B)
      enterBlock(*B);
    B->Threads[B->Order[B->Next]].OnStack = S;
    Target = prepareStack(S, worker);
  } else if (B) {
    unsigned I = B->Yielded.front();
    B->Yielded.pop_front();
    Target = B->Threads[I].Context;
    setRunning(*B, I);
  }
  if (Dying)
    releaseStack(Dying);
  autokernelSwitch(Save ? Save : &Nowhere, Target);
}

static void releaseBarrier(BlockRun &B) {
  const Site *At = nullptr;
  bool Differ = false;
  for (unsigned I = 0; I < B.Count; ++I) {
    Thread &T = B.Threads[I];
    if (T.State != ThreadState::AtBarrier)
      continue;
    Differ |= At && (At->line != T.At->line || At->column != T.At->column);
    At = Differ && At ? At : T.At;
    makeReady(B, I);
  }
  if (Differ) {
    std::string Others;
    for (Thread &T : B.Threads)
      if (T.State == ThreadState::Ready && T.At && T.At->line != At->line) {
        Others = placeOf(T.At);
        break;
      }
    report("divergent-barrier", At,
           "threads of the block met at different barriers; others are at " +
               Others);
  }
  B.BarrierResult = B.BarrierOperation == 1   ? B.True
                    : B.BarrierOperation == 2 ? B.True == int(B.Arrived)
                                              : B.True != 0;
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
  laneExited(B, B.Running);
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
      goOn(nullptr, Mine);
    After.Threads[After.Order[After.Next]].OnStack = Mine;
  }
}

void waitAs(ThreadState State, const Site *At) {
  BlockRun &B = *TheSession.Current;
  Thread &T = B.Threads[B.Running];
  T.State = State;
  T.At = At;
  goOn(&T.Context, nullptr);
}

void yieldThread(const Site *At) {
  BlockRun &B = *TheSession.Current;
  if (!runnableBlock())
    return;
  B.Yielded.push_back(B.Running);
  waitAs(ThreadState::Yielded, At);
}

void runBlocks() { goOn(&TheSession.MainContext, nullptr); }

} // namespace autokernel::emulator

using namespace autokernel::emulator;

extern "C" int __ak_barrier(int Operation, int Predicate, const Site *At) {
  BlockRun &B = *TheSession.Current;
  B.BarrierOperation = Operation;
  B.True += Predicate != 0;
  Thread &T = B.Threads[B.Running];
  T.State = ThreadState::AtBarrier;
  T.At = At;
  if (++B.Arrived == B.Live) {
    releaseBarrier(B);
    resumeMyself(B);
    return B.BarrierResult;
  }
  settleActiveMask(B, B.Running / 32);
  waitAs(ThreadState::AtBarrier, At);
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
