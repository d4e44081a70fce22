#include "IndexData.h"
#include "Device.h"
#include "Kept.h"
#include "UsableDevice.h"

#include <vector>

namespace autokernel::runtime {
namespace {

constexpr Interval Unknown = {0, 0, false};

template <class T> Interval scan(const char *bytes, size_t count) {
  auto *v = reinterpret_cast<const T *>(bytes);
  T lo = v[0], hi = v[0];
  for (size_t i = 1; i < count; ++i) {
    lo = v[i] < lo ? v[i] : lo;
    hi = v[i] > hi ? v[i] : hi;
  }
  if (std::is_unsigned_v<T> && uint64_t(hi) > uint64_t(INT64_MAX))
    return Unknown;
  return {int64_t(lo), int64_t(hi), true};
}

Interval scanAs(const ParamInfo &p, const char *bytes, size_t count) {
  bool isSigned = p.kind == Kind::Int;
  if (p.kind == Kind::Float)
    return Unknown;
  switch (p.bytes) {
  case 1:
    return isSigned ? scan<int8_t>(bytes, count) : scan<uint8_t>(bytes, count);
  case 2:
    return isSigned ? scan<int16_t>(bytes, count)
                    : scan<uint16_t>(bytes, count);
  case 4:
    return isSigned ? scan<int32_t>(bytes, count)
                    : scan<uint32_t>(bytes, count);
  case 8:
    return isSigned ? scan<int64_t>(bytes, count)
                    : scan<uint64_t>(bytes, count);
  }
  return Unknown;
}

bool isOnDeviceOnly(const void *p) {
  MemoryKind kind = MemoryKind::Host;
  int ordinal = 0;
  if (!deviceUsable())
    return false;
  if (device().kindOf(p, kind, ordinal)) {
    device().takeError();
    return false;
  }
  return kind == MemoryKind::Device;
}

Interval scanOnDevice(const ParamInfo &p, const char *from, size_t count) {
  std::vector<char> host(count * p.bytes);
  void *stream = device().stream();
  if (device().copy(host.data(), from, host.size(), Copy::Out, stream) ||
      device().synchronise(stream)) {
    device().takeError();
    return Unknown;
  }
  return scanAs(p, host.data(), count);
}

} // namespace

Interval valuesIn(const ParamInfo &param, const void *array, Interval range) {
  auto *from = static_cast<const char *>(array) + range.lo * param.bytes;
  size_t count = size_t(range.hi - range.lo) + 1;
  makeHostValid(from);
  return isOnDeviceOnly(from) ? scanOnDevice(param, from, count)
                              : scanAs(param, from, count);
}

} // namespace autokernel::runtime
