//===- Atomics.cpp - fences and atomics order blocks ----------------------===//
//
// A block that has executed a fence releases what it did with its next atomic
// operation; a block that then works on the same address acquires it. This is
// what makes "the last block sums up" correct. At the granularity of blocks and
// in favour of the candidate: no false alarm, a few missed races.
//
//===----------------------------------------------------------------------===//

#include "emulator/machine/Blocks.h"

namespace autokernel::emulator {

static constexpr unsigned MaxDepth = 8;

/// Looks also behind what the releasing blocks had acquired themselves.
static bool isAcquiredBy(const std::unordered_map<uint64_t, uint64_t> &Acquired,
                         uint32_t Owner, uint64_t Segment, unsigned Depth) {
  for (auto [Address, Stamp] : Acquired) {
    const SyncVariable &V = TheSession.SyncVariables[Address];
    auto Release = V.ByBlock.find(Owner);
    if (Release != V.ByBlock.end() && Release->second.Stamp <= Stamp &&
        Release->second.Segment >= Segment)
      return true;
  }
  if (Depth == MaxDepth)
    return false;
  for (auto [Address, Stamp] : Acquired)
    for (const auto &[Block, Release] :
         TheSession.SyncVariables[Address].ByBlock)
      if (Release.Stamp <= Stamp && !Release.Seen.empty() &&
          isAcquiredBy(Release.Seen, Owner, Segment, Depth + 1))
        return true;
  return false;
}

bool isAcquired(uint32_t Owner, uint64_t Segment) {
  return isAcquiredBy(TheSession.Current->Acquired, Owner, Segment, 0);
}

bool hasAcquired() { return !TheSession.Current->Acquired.empty(); }

bool hasThreadAcquired() {
  const BlockRun &B = *TheSession.Current;
  return !B.AcquiredByThread.empty() && B.AcquiredByThread.count(B.Running);
}

static uint64_t threadKey(const BlockRun &B, unsigned Thread) {
  return uint64_t(B.Linear) * 1024 + Thread;
}

bool isAcquiredFromThread(unsigned Other) {
  if (!hasThreadAcquired())
    return false;
  BlockRun &B = *TheSession.Current;
  for (auto [Address, Stamp] : B.AcquiredByThread[B.Running]) {
    const SyncVariable &V = TheSession.SyncVariables[Address];
    auto Release = V.ByThread.find(threadKey(B, Other));
    if (Release != V.ByThread.end() && Release->second <= Stamp)
      return true;
  }
  return false;
}

void synchroniseOn(uint64_t Address, bool Acquire, bool Release) {
  // Plain histograms never fence, and shouldn't pay.
  if (!TheSession.FenceSeen)
    return;
  BlockRun &B = *TheSession.Current;
  SyncVariable &V = TheSession.SyncVariables[Address];
  if (Acquire && !V.ByBlock.empty())
    B.Acquired[Address] = TheSession.ReleaseStamp;
  if (Acquire && !V.ByThread.empty())
    B.AcquiredByThread[B.Running][Address] = TheSession.ReleaseStamp;
  if (!Release || !B.Fenced)
    return;
  auto [At, New] = V.ByBlock.try_emplace(B.Linear);
  if (New)
    At->second.Stamp = ++TheSession.ReleaseStamp;
  At->second.Segment = B.Segment;
  if (V.ByThread
          .try_emplace(threadKey(B, B.Running), TheSession.ReleaseStamp + 1)
          .second)
    ++TheSession.ReleaseStamp;
  if (New && B.Acquired.size() <= 4)
    At->second.Seen = B.Acquired;
}

} // namespace autokernel::emulator

using namespace autokernel::emulator;

extern "C" void __ak_fence(int Scope, const Site *) {
  if (Scope == 0)
    return;
  TheSession.Current->Fenced = true;
  TheSession.FenceSeen = true;
}
