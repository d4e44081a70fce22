//===- Warp.cpp - shuffles, votes and other warp operations ---------------===//
//
// An operation happens when every live lane that the mask names has arrived at
// it with the same mask. What CUDA leaves undefined is reported or gives
// poison.
//
//===----------------------------------------------------------------------===//

#include "emulator/machine/Blocks.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace autokernel::emulator {

namespace {
// In the order of the header's __ak_warp_op.
enum Operation {
  Shuffle,
  ShuffleUp,
  ShuffleDown,
  ShuffleXor,
  Ballot,
  Any,
  All,
  Uniform,
  MatchAny,
  MatchAll,
  ReduceAdd,
  ReduceMin,
  ReduceMax,
  ReduceUMin,
  ReduceUMax,
  ReduceAnd,
  ReduceOr,
  ReduceXor,
  SyncWarp,
  ActiveMask
};
} // namespace

// A NaN as float, double and half; absurd as an integer.
static constexpr Word Poison = 0xfffadbadfffadbadull;
static constexpr uint16_t LastEpoch = 2046;

template <class Visitor> static void forLanes(unsigned Mask, Visitor Visit) {
  for (; Mask; Mask &= Mask - 1)
    Visit(unsigned(__builtin_ctz(Mask)));
}

/// The lane that a shuffle reads; the lane itself where the rule says so.
static unsigned sourceLane(const Lane &L, unsigned Me) {
  int Width = L.Width > 0 && L.Width <= 32 ? L.Width : 32;
  int Base = int(Me) & ~(Width - 1), From = int(Me);
  switch (L.Operation) {
  case Shuffle:
    return Base + (L.Argument & (Width - 1));
  case ShuffleUp:
    From = int(Me) - L.Argument;
    return From < Base ? Me : From;
  case ShuffleDown:
    From = int(Me) + L.Argument;
    return From < Base || From >= Base + Width ? Me : From;
  default:
    From = int(Me) ^ L.Argument;
    return From >= Base + Width || From < 0 ? Me : From;
  }
}

static Word shuffle(Warp &W, unsigned Group, unsigned Me) {
  const Lane &L = W.Lanes[Me];
  unsigned From = sourceLane(L, Me);
  if (Group >> From & 1)
    return W.Lanes[From].Value;
  // Tree reductions over part of a warp read past it and drop what they get,
  // so only shuffles that name their source are certainly wrong.
  if (L.Operation == Shuffle || L.Operation == ShuffleXor)
    report("shuffle-inactive-lane", L.At,
           "lane " + Twine(Me) + " reads lane " + Twine(From) +
               ", which doesn't take part in the shuffle");
  return Poison;
}

static Word reduce(const Warp &W, unsigned Group, int Op) {
  Word Result = W.Lanes[__builtin_ctz(Group)].Value;
  forLanes(Group & (Group - 1), [&](unsigned I) {
    uint32_t A = uint32_t(Result), B = uint32_t(W.Lanes[I].Value);
    switch (Op) {
    case ReduceAdd:
      A += B;
      break;
    case ReduceMin:
      A = uint32_t(std::min(int32_t(A), int32_t(B)));
      break;
    case ReduceMax:
      A = uint32_t(std::max(int32_t(A), int32_t(B)));
      break;
    case ReduceUMin:
      A = std::min(A, B);
      break;
    case ReduceUMax:
      A = std::max(A, B);
      break;
    case ReduceAnd:
      A &= B;
      break;
    case ReduceOr:
      A |= B;
      break;
    default:
      A ^= B;
      break;
    }
    Result = A;
  });
  return Result;
}

static unsigned lanesWith(const Warp &W, unsigned Group, Word Value) {
  unsigned Mask = 0;
  forLanes(Group, [&](unsigned I) {
    if (W.Lanes[I].Value == Value)
      Mask |= 1u << I;
  });
  return Mask;
}

static Word combine(Warp &W, unsigned Group, unsigned Me, unsigned True) {
  const Lane &L = W.Lanes[Me];
  switch (L.Operation) {
  case Ballot:
    return True;
  case Any:
    return True != 0;
  case All:
    return True == Group;
  case Uniform:
    return True == Group || True == 0;
  case MatchAny:
    return lanesWith(W, Group, L.Value);
  case MatchAll: {
    unsigned Same = lanesWith(W, Group, L.Value);
    return Same == Group ? Same : 0;
  }
  default:
    return L.Operation <= ShuffleXor ? shuffle(W, Group, Me)
                                     : reduce(W, Group, L.Operation);
  }
}

// Lanes that synchronised are ordered: later epochs come after earlier ones.
static void joinEpochs(BlockRun &B, unsigned WarpIndex, unsigned Group) {
  unsigned Newest = 0;
  forLanes(Group, [&](unsigned I) {
    Newest = std::max<unsigned>(Newest, B.Threads[WarpIndex * 32 + I].Epoch);
  });
  if (Newest >= LastEpoch) {
    // Out of numbers. A new segment forgets, but raises no false alarm.
    advanceSegment(B);
    return;
  }
  forLanes(Group, [&](unsigned I) {
    B.Threads[WarpIndex * 32 + I].Epoch = uint16_t(Newest + 1);
  });
}

static void execute(BlockRun &B, unsigned WarpIndex, unsigned Group) {
  Warp &W = B.Warps[WarpIndex];
  unsigned First = __builtin_ctz(Group);
  int Op = W.Lanes[First].Operation;
  if (Op == SyncWarp)
    joinEpochs(B, WarpIndex, Group);
  else if (Op == ActiveMask)
    forLanes(Group, [&](unsigned I) { W.Lanes[I].Result = Group; });
  else {
    unsigned True = 0;
    forLanes(Group,
             [&](unsigned I) { True |= unsigned(W.Lanes[I].Value & 1) << I; });
    bool Shared = Op >= ReduceAdd && Op <= ReduceXor;
    Word Result = Shared ? reduce(W, Group, Op) : 0;
    forLanes(Group, [&](unsigned I) {
      W.Lanes[I].Result = Shared ? Result : combine(W, Group, I, True);
    });
  }
  W.Waiting &= ~Group;
  W.AtActiveMask &= ~Group;
  forLanes(Group, [&](unsigned I) { makeReady(B, WarpIndex * 32 + I); });
}

/// Executes the operation that lane \p I waits for if all others are there.
static bool tryExecute(BlockRun &B, unsigned WarpIndex, unsigned I) {
  Warp &W = B.Warps[WarpIndex];
  const Lane &Mine = W.Lanes[I];
  unsigned Group = Mine.Mask & W.Existing & ~W.Exited;
  if ((W.Waiting & Group) != Group)
    return false;
  bool Same = true;
  forLanes(Group, [&](unsigned Other) {
    Same &= W.Lanes[Other].Mask == Mine.Mask &&
            W.Lanes[Other].Operation == Mine.Operation;
  });
  if (!Same) {
    report(
        "mask-mismatch", Mine.At,
        "lanes of the warp wait at warp operations with different masks or of "
        "different kinds (mask 0x" +
            Twine::utohexstr(Mine.Mask) + " here)");
    abortLaunch(719);
  }
  execute(B, WarpIndex, Group);
  return true;
}

static void reportExited(const Lane &L, unsigned Exited) {
  report("lane-exited", L.At,
         "the mask 0x" + Twine::utohexstr(L.Mask) + " names lane " +
             Twine(unsigned(__builtin_ctz(Exited))) +
             ", which has left the kernel");
}

void laneExited(BlockRun &B, unsigned Index) {
  Warp &W = B.Warps[Index / 32];
  unsigned Bit = 1u << (Index % 32);
  W.Exited |= Bit;
  unsigned Pending = W.Waiting & ~W.AtActiveMask;
  forLanes(Pending, [&](unsigned I) {
    if (!(W.Waiting >> I & 1) || !(W.Lanes[I].Mask & Bit))
      return;
    reportExited(W.Lanes[I], Bit);
    tryExecute(B, Index / 32, I);
  });
  settleActiveMask(B, Index / 32);
}

void settleActiveMask(BlockRun &B, unsigned WarpIndex) {
  Warp &W = B.Warps[WarpIndex];
  if (!W.AtActiveMask)
    return;
  unsigned Runnable = 0;
  forLanes(W.Existing & ~W.Exited, [&](unsigned I) {
    ThreadState State = B.Threads[WarpIndex * 32 + I].State;
    if (State == ThreadState::New || State == ThreadState::Ready ||
        State == ThreadState::Yielded || State == ThreadState::Running)
      Runnable |= 1u << I;
  });
  if (Runnable)
    return;
  const Site *At = W.Lanes[__builtin_ctz(W.AtActiveMask)].At;
  unsigned Group = 0;
  forLanes(W.AtActiveMask, [&](unsigned I) {
    if (W.Lanes[I].At == At)
      Group |= 1u << I;
  });
  execute(B, WarpIndex, Group);
}

static unsigned checkMask(const Warp &W, unsigned Mask, unsigned Me,
                          const Site *At) {
  if (!(Mask >> Me & 1)) {
    report("mask-mismatch", At,
           "the mask 0x" + Twine::utohexstr(Mask) + " lacks the calling lane " +
               Twine(Me));
    Mask |= 1u << Me;
  }
  if (unsigned Gone = Mask & W.Exited) {
    Lane L;
    L.At = At;
    L.Mask = Mask;
    reportExited(L, Gone);
  }
  return Mask;
}

} // namespace autokernel::emulator

using namespace autokernel::emulator;

extern "C" Word __ak_warp(int Op, unsigned Mask, Word Value, int Argument,
                          int Width, const Site *At) {
  BlockRun &B = *TheSession.Current;
  unsigned Index = B.Running, WarpIndex = Index / 32, Me = Index % 32;
  Warp &W = B.Warps[WarpIndex];
  if (Op != ActiveMask)
    Mask = checkMask(W, Mask, Me, At);
  W.Lanes[Me] = {Op, Mask, Value, 0, Argument, Width, At};
  W.Waiting |= 1u << Me;
  B.Threads[Index].State = ThreadState::AtWarp;
  B.Threads[Index].At = At;
  bool Done = false;
  if (Op == ActiveMask)
    W.AtActiveMask |= 1u << Me;
  else
    Done = tryExecute(B, WarpIndex, Me);
  if (!Done)
    settleActiveMask(B, WarpIndex);
  if (B.Threads[Index].State == ThreadState::Ready)
    resumeMyself(B);
  else
    waitAs(ThreadState::AtWarp, At);
  return B.Warps[WarpIndex].Lanes[Me].Result;
}

extern "C" unsigned __ak_lane() { return TheSession.Current->Running % 32; }
