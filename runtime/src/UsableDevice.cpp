#include "UsableDevice.h"
#include "Device.h"

#include <atomic>

namespace autokernel::runtime {
namespace {

enum Presence { Unasked, Present, Absent };
std::atomic<Device *> active{nullptr};
std::atomic<int> presence{Unasked};

} // namespace

Device &device() {
  Device *d = active.load(std::memory_order_acquire);
  return d ? *d : cudaDevice();
}

void useDevice(Device *d) {
  active = d;
  presence = Unasked;
}

bool deviceUsable() {
  int p = presence.load(std::memory_order_acquire);
  if (p == Unasked) {
    int n = 0;
    bool ok = device().count(n) == 0 && n > 0;
    if (!ok)
      device().takeError();
    p = ok ? Present : Absent;
    presence.store(p, std::memory_order_release);
  }
  return p == Present;
}

bool deviceKnownAbsent() { return presence == Absent; }

} // namespace autokernel::runtime
