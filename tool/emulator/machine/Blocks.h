//===- Blocks.h - the threads of a block and who runs next ------*- C++ -*-===//
//
// Threads run one after the other on one fibre until one has to wait; only then
// does the next begin on a stack of its own. Barriers count live threads.
//
//===----------------------------------------------------------------------===//
#ifndef AUTOKERNEL_EMULATOR_MACHINE_BLOCKS_H
#define AUTOKERNEL_EMULATOR_MACHINE_BLOCKS_H

#include "emulator/machine/Fibre.h"
#include "emulator/machine/Session.h"
#include <deque>

namespace autokernel::emulator {

enum class ThreadState : uint8_t {
  New,
  Running,
  Ready,
  Yielded,
  AtBarrier,
  AtWarp,
  AtGrid,
  Done
};

struct Thread {
  void *Context = nullptr;
  Stack *OnStack = nullptr;
  const Site *At = nullptr; ///< Where it waits.
  uint16_t Epoch = 0;       ///< Lamport clock of warp synchronisation.
  ThreadState State = ThreadState::New;
};

struct Lane {
  int Operation = 0;
  unsigned Mask = 0;
  Word Value = 0, Result = 0;
  int Argument = 0, Width = 32;
  const Site *At = nullptr;
};

struct Warp {
  Lane Lanes[32];
  unsigned Waiting = 0; ///< Lanes inside a warp operation.
  unsigned Existing = 0, Exited = 0;
  unsigned AtActiveMask = 0;
};

struct BlockRun {
  uint32_t Linear = 0;
  uint64_t Arena = 0;
  unsigned Count = 0, Live = 0, Next = 0, Running = 0;
  std::vector<Thread> Threads;
  std::vector<Warp> Warps;
  std::vector<unsigned> Order;
  std::vector<uint64_t> ReadyBits;
  unsigned ReadyCount = 0;
  std::deque<unsigned> Yielded;

  unsigned Arrived = 0, AtGrid = 0;
  int True = 0, BarrierOperation = 0, BarrierResult = 0;

  uint64_t FirstSegment = 0, Segment = 0;
  bool Fenced = false;
  std::unordered_map<uint64_t, uint64_t> Acquired; ///< Address to stamp.
  std::unordered_map<unsigned, std::unordered_map<uint64_t, uint64_t>>
      AcquiredByThread;

  bool hasRunnable() const {
    return ReadyCount || Next < Count || !Yielded.empty();
  }
};

Index3 blockIndex(uint32_t Linear);
Index3 threadIndex(unsigned Linear);

void prepareBlock(BlockRun &B, uint32_t Linear, uint64_t Arena);
/// Runs all threads of the session's blocks, until they are done or aborted.
void runBlocks();
void makeReady(BlockRun &B, unsigned Index);
/// Takes the running thread, just made ready, back to running.
void resumeMyself(BlockRun &B);
/// Lets others run until somebody makes this thread ready.
void waitAs(ThreadState State, const Site *At);
void yieldThread(const Site *At);
/// Gives the block a new segment: all before is ordered before all after.
void advanceSegment(BlockRun &B);

// Warp.cpp
void laneExited(BlockRun &B, unsigned Index);
/// Serves __activemask where all other lanes of the warp wait or are gone.
void settleActiveMask(BlockRun &B, unsigned WarpIndex);

} // namespace autokernel::emulator

#endif
