#include "Staging.h"

namespace autokernel::runtime {
namespace {

/// As cudaMalloc aligns; element 0 keeps that alignment when only elements
/// further on are staged.
constexpr size_t Alignment = 256;

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
  bool whole = p.isArray && p.overwritten && plan.covered[param];
  place.copyIn = p.role != Role::Out || !whole;
  return place;
}

Reason Staging::locate() {
  if (device().current(ordinal)) {
    device().takeError();
    return {"no usable device"};
  }
  stream = device().stream();
  for (unsigned i = 0; i < used; ++i)
    if (Reason r = locate(places[i]))
      return r;
  return {};
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

Status Staging::copyIn(const Place &place) {
  bool fromHost = place.kind == MemoryKind::Host;
  return device().copy(place.block, place.host, place.bytes,
                       fromHost ? Copy::In : Copy::OnDevice, stream);
}

Status Staging::copyIn() {
  for (unsigned i = 0; i < used; ++i)
    if (places[i].staged && places[i].copyIn)
      if (Status s = copyIn(places[i]))
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

Status Staging::copyOut(char *const *to) {
  for (unsigned i = 0; i < used; ++i) {
    const Place &p = places[i];
    if (!p.staged || !p.written)
      continue;
    if (Status s = device().copy(to ? to[i] : p.host, p.block, p.bytes,
                                 Copy::Out, stream))
      return s;
  }
  return wait();
}

size_t Staging::traffic() const {
  size_t bytes = 0;
  for (unsigned i = 0; i < used; ++i)
    if (places[i].staged)
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
    bool touched = p.written && (copyOutBegan || !p.staged);
    if (touched && info.params[p.param].role == Role::InOut)
      return false;
  }
  return true;
}

} // namespace autokernel::runtime
