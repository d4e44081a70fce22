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

void synchroniseOn(uint64_t Address, bool Acquire, bool Release) {
  // Plain histograms never fence, and shouldn't pay.
  if (!TheSession.FenceSeen)
    return;
  BlockRun &B = *TheSession.Current;
  SyncVariable &V = TheSession.SyncVariables[Address];
  if (Acquire && !V.ByBlock.empty())
    B.Acquired[Address] = TheSession.ReleaseStamp;
  if (!Release || !B.Fenced)
    return;
  auto [At, New] = V.ByBlock.try_emplace(B.Linear);
  if (New)
    At->second.Stamp = ++TheSession.ReleaseStamp;
  At->second.Segment = B.Segment;
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
