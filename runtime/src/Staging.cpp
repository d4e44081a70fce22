#include "Staging.h"
#include "HostCopy.h"

#include <cstring>
#include <new>

namespace autokernel::runtime {
namespace {

/// As cudaMalloc aligns; element 0 keeps that alignment when only elements
/// further on are staged.
constexpr size_t Alignment = 256;

constexpr Status OutOfMemory = 2; // cudaErrorMemoryAllocation

size_t offsetInBlock(const ParamInfo &p, Interval range) {
  int64_t first = range.lo * p.bytes;
  int64_t a = int64_t(Alignment);
  return size_t(((first % a) + a) % a);
}

} // namespace

Staging::Staging(const RegionInfo &info, const Argument *arguments,
                 const Plan &plan)
    : info(info), arguments(arguments), plan(plan) {
  for (unsigned i = 0; i < info.paramCount; ++i) {
    const ParamInfo &p = info.params[i];
    values[i] = arguments[i].address;
    bool touched = p.isArray ? !plan.ranges[i].empty() : p.role != Role::In;
    if (touched)
      places[used++] = describe(i);
  }
}

Place Staging::describe(unsigned param) const {
  const ParamInfo &p = info.params[param];
  Place place;
  place.param = param;
  place.written = p.role != Role::In;
  place.host = static_cast<char *>(arguments[param].address);
  place.bytes = p.bytes;
  if (p.isArray) {
    Interval r = plan.ranges[param];
    place.host += r.lo * p.bytes;
    place.bytes = size_t(r.hi - r.lo + 1) * p.bytes;
  }
  bool attained = !p.isArray || plan.attained[param];
  bool covered = !p.isArray || plan.covered[param];
  place.careful = !attained;
  place.merge = place.written && !(attained && covered);
  bool whole = p.isArray && p.overwritten && covered && attained;
  place.copyIn = p.role != Role::Out || !whole;
  return place;
}

Reason Staging::locate(bool asHostArrays) {
  if (device().current(ordinal)) {
    device().takeError();
    return {"no usable device"};
  }
  stream = device().stream();
  for (unsigned i = 0; i < used; ++i) {
    if (Reason r = locate(places[i]))
      return r;
    if (!asHostArrays && places[i].kind == MemoryKind::Host)
      useKept(places[i]);
  }
  return {};
}

void Staging::useKept(Place &place) {
  const ParamInfo &p = info.params[place.param];
  KeptArray *kept = p.isArray ? findKept(place.host, place.bytes) : nullptr;
  if (!kept || !makeResident(*kept, ordinal))
    return;
  place.kept = kept;
  place.staged = false;
  auto base = static_cast<char *>(arguments[place.param].address);
  values[place.param] =
      reinterpret_cast<void *>(reinterpret_cast<uintptr_t>(kept->block) +
                               (reinterpret_cast<uintptr_t>(base) -
                                reinterpret_cast<uintptr_t>(kept->host)));
}

Reason Staging::locate(Place &place) {
  const ParamInfo &p = info.params[place.param];
  int owner = ordinal;
  if (p.isArray && device().kindOf(place.host, place.kind, owner)) {
    device().takeError(); // older drivers fail for plain host memory
    place.kind = MemoryKind::Host;
  }
  place.staged = place.kind == MemoryKind::Host;
  if (place.kind == MemoryKind::Device && owner != ordinal)
    return {"an array is on another device", p.name};
  return {};
}

void Staging::keepOriginals() {
  for (unsigned i = 0; i < used; ++i)
    if (places[i].written)
      places[i].staged = true;
}

bool Staging::allocate() {
  lease = std::make_unique<Lease>(ordinal);
  for (unsigned i = 0; i < used; ++i)
    if (places[i].staged && !allocate(places[i]))
      return false;
  return allocateWorkspace();
}

bool Staging::allocate(Place &place) {
  const ParamInfo &p = info.params[place.param];
  Interval range = p.isArray ? plan.ranges[place.param] : Interval{0, 0};
  size_t offset = offsetInBlock(p, range);
  auto *at = static_cast<char *>(lease->take(offset + place.bytes));
  if (!at)
    return false;
  place.block = at + offset;
  // Modulo 2^64: element 0 may lie outside the block.
  values[place.param] = reinterpret_cast<void *>(
      reinterpret_cast<uintptr_t>(place.block) - uint64_t(range.lo) * p.bytes);
  return true;
}

bool Staging::allocateWorkspace() {
  if (!info.workspace)
    return true;
  size_t extents[MaxParams] = {};
  unsigned arrays = 0;
  for (unsigned i = 0; i < info.paramCount; ++i)
    if (info.params[i].isArray) {
      Interval r = plan.ranges[i];
      extents[arrays++] = r.empty() || r.hi < 0 ? 0 : size_t(r.hi) + 1;
    }
  workspaceSize = info.workspace(values, extents);
  if (!workspaceSize)
    return true;
  workspace = lease->take(workspaceSize);
  return workspace;
}

Reason Staging::takeSnapshots() {
  for (unsigned i = 0; i < used; ++i) {
    const Place &p = places[i];
    bool fromHost = p.kind == MemoryKind::Host;
    if (!p.staged || !fromHost || !(p.careful || p.merge))
      continue;
    const char *name = info.params[p.param].name;
    snapshots[i].reset(new (std::nothrow) char[p.bytes]);
    if (!snapshots[i])
      return {"not enough host memory for a copy", name};
    if (!p.careful)
      std::memcpy(snapshots[i].get(), p.host, p.bytes);
    else if (!readSafely(snapshots[i].get(), p.host, p.bytes))
      return {"the range is known too roughly: give the extent", name};
  }
  return {};
}

Status Staging::copyIn(unsigned i) {
  const Place &p = places[i];
  bool fromHost = p.kind == MemoryKind::Host;
  const char *from = snapshots[i] ? snapshots[i].get() : p.host;
  return device().copy(p.block, from, p.bytes,
                       fromHost ? Copy::In : Copy::OnDevice, stream);
}

Status Staging::copyIn() {
  for (unsigned i = 0; i < used; ++i)
    if (KeptArray *k = places[i].kept; k && !k->deviceValid) {
      if (Status s =
              device().copy(k->block, k->host, k->bytes, Copy::In, stream))
        return s;
      k->deviceValid = true;
    }
  for (unsigned i = 0; i < used; ++i)
    if (places[i].staged && places[i].copyIn)
      if (Status s = copyIn(i))
        return s;
  return 0;
}

Status Staging::launch() {
  // What the program left behind would look like a failure of the launch.
  device().takeError();
  if (Status s = info.launch(values, workspace, workspaceSize, stream))
    return s;
  return device().takeError(); // of a <<<>>> whose result wasn't asked for
}

Status Staging::wait() { return device().synchronise(stream); }

/// Starts all copies; results that are merged later go to buffers first.
Status Staging::fetch(char *const *to, Buffer *results) {
  for (unsigned i = 0; i < used; ++i) {
    const Place &p = places[i];
    if (!p.staged || !p.written)
      continue;
    char *target = to ? to[i] : p.host;
    if (!to && snapshots[i]) {
      results[i].reset(new (std::nothrow) char[p.bytes]);
      target = results[i].get();
      if (!target)
        return OutOfMemory;
    }
    if (Status s = device().copy(target, p.block, p.bytes, Copy::Out, stream))
      return s;
  }
  return wait();
}

Status Staging::copyOut(char *const *to) {
  Buffer results[MaxParams];
  if (Status s = fetch(to, results))
    return s;
  for (unsigned i = 0; i < used; ++i)
    if (results[i])
      mergeChanges(places[i].host, snapshots[i].get(), results[i].get(),
                   places[i].bytes, info.params[places[i].param].bytes);
  return 0;
}

void Staging::finish() {
  for (unsigned i = 0; i < used; ++i)
    if (places[i].kept && places[i].written)
      places[i].kept->hostValid = false;
}

void Staging::distrust() {
  if (lease)
    lease->distrust();
  for (unsigned i = 0; i < used; ++i)
    if (places[i].kept)
      places[i].kept->deviceValid = false;
}

size_t Staging::staleOnHost() const {
  size_t bytes = 0;
  for (unsigned i = 0; i < used; ++i)
    if (places[i].kept && !places[i].kept->hostValid)
      bytes += places[i].kept->bytes;
  return bytes;
}

size_t Staging::traffic() const {
  size_t bytes = 0;
  for (unsigned i = 0; i < used; ++i)
    if (places[i].kept)
      bytes += places[i].kept->deviceValid ? 0 : places[i].kept->bytes;
    else if (places[i].staged)
      bytes += places[i].bytes * (places[i].copyIn + places[i].written);
  return bytes;
}

bool Staging::hasDeviceOnly() const {
  for (unsigned i = 0; i < used; ++i)
    if (places[i].kind == MemoryKind::Device)
      return true;
  return false;
}

bool Staging::inputsIntact(bool copyOutBegan) const {
  for (unsigned i = 0; i < used; ++i) {
    const Place &p = places[i];
    if (p.kept && !p.kept->hostValid)
      return false;
    if (p.kept)
      continue; // the host has its copy from before
    bool touched = p.written && ((copyOutBegan && !p.merge) || !p.staged);
    if (touched && info.params[p.param].role == Role::InOut)
      return false;
  }
  return true;
}

} // namespace autokernel::runtime
