//===- Report.h - what went wrong in a kernel -------------------*- C++ -*-===//
//
// One finding of the machine, with its place in the candidate's text. The same
// finding by other threads only counts up `Count`.
//
//===----------------------------------------------------------------------===//
#ifndef AUTOKERNEL_EMULATOR_REPORT_H
#define AUTOKERNEL_EMULATOR_REPORT_H

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace autokernel::emulator {

struct Index3 {
  unsigned X = 0, Y = 0, Z = 0;
};

/// Kinds: out-of-bounds-read, out-of-bounds-write, out-of-bounds-index,
/// uninitialised-read, race, divergent-barrier, deadlock, misaligned,
/// bad-launch, shared-overflow, shuffle-inactive-lane, mask-mismatch,
/// lane-exited, signed-overflow, bad-shift, divide-by-zero, null-pointer,
/// wrong-side-pointer, step-budget, time-budget, stack-overflow, crash, trap,
/// assertion, unsupported.
struct Report {
  std::string Kind;
  std::string Message;
  std::string Kernel;
  std::string File;
  unsigned Line = 0, Column = 0;
  Index3 Block, Thread;
  std::string Buffer;
  int64_t Offset = 0; ///< In bytes from the buffer's begin.
  unsigned Size = 0;

  /// The other party of a race.
  bool HasOther = false;
  std::string OtherFile;
  unsigned OtherLine = 0, OtherColumn = 0;
  Index3 OtherBlock, OtherThread;

  uint64_t Seed = 0; ///< Replays the schedule.
  uint64_t Count = 1;
};

nlohmann::json toJSON(const Report &R);
std::string toString(const Report &R);

} // namespace autokernel::emulator

#endif
