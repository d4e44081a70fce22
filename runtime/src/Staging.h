// Where the arguments of one call live on the device.
//
// Device and managed memory is used in place. Of host arrays only the elements
// that the region touches are copied; the launcher gets an address from which
// the usual subscripts reach them. Scalar results go through slots in one
// small block.
//
// Surface: Staging.
#pragma once

#include "Device.h"
#include "Guards.h"
#include "Kept.h"
#include "Pool.h"

#include <memory>

namespace autokernel::runtime {

/// One array or scalar result.
struct Place {
  unsigned param = 0;
  char *host = nullptr;  // its first touched byte
  char *block = nullptr; // where that byte is on the device
  size_t bytes = 0;
  bool staged = false;
  bool copyIn = false;
  bool written = false;
  /// Perhaps more than the array is in the range.
  bool careful = false;
  /// Only elements that the kernel changed go back.
  bool merge = false;
  MemoryKind kind = MemoryKind::Host;
  KeptArray *kept = nullptr; // lives on the device already
};

class Staging {
public:
  Staging(const RegionInfo &info, const Argument *arguments, const Plan &plan);

  /// Finds out where each argument is. Arrays that the program keeps on the
  /// device get room there, unless `asHostArrays`.
  Reason locate(bool asHostArrays);
  /// Written managed arrays are staged, too, so that the loop can run after
  /// the kernel on the same inputs.
  void keepOriginals();
  /// Copies of the host arrays that need one, while nothing has run yet.
  Reason takeSnapshots();
  /// False when the device has no room.
  bool allocate();
  Status copyIn();
  Status launch();
  Status wait();
  /// From the device to `host`, or to `to[i]` for place i where that is given.
  Status copyOut(char *const *to = nullptr);

  /// The results are there: the host's copies of kept arrays are stale.
  void finish();

  /// Bytes that cross the bus, there and back.
  size_t traffic() const;
  /// Bytes that would have to come back for the loop to run.
  size_t staleOnHost() const;
  /// The host can't read one of the arrays.
  bool hasDeviceOnly() const;
  /// After a failure the loop would start from the inputs it expects.
  bool inputsIntact(bool copyOutBegan) const;
  void distrust();

  int owner() const { return ordinal; } // the device's number
  unsigned count() const { return used; }
  const Place &place(unsigned i) const { return places[i]; }

private:
  using Buffer = std::unique_ptr<char[]>;
  Place describe(unsigned param) const;
  Reason locate(Place &place);
  void useKept(Place &place);
  bool allocate(Place &place);
  bool allocateWorkspace();
  Status copyIn(unsigned i);
  Status fetch(char *const *to, Buffer *results);

  const RegionInfo &info;
  const Argument *arguments;
  const Plan &plan;
  int ordinal = 0;
  void *stream = nullptr;
  std::unique_ptr<Lease> lease;
  Place places[MaxParams];
  unsigned used = 0;
  Buffer snapshots[MaxParams]; // by place
  void *values[MaxParams] = {};
  void *workspace = nullptr;
  size_t workspaceSize = 0;
};

} // namespace autokernel::runtime
