#include "Shadow.h"

#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace autokernel::runtime {
namespace {

/// Nested regions and recursion: the last kept is the first compared.
std::vector<Kept> &pending() {
  thread_local std::vector<Kept> list;
  return list;
}

struct Reports {
  std::mutex lock;
  std::vector<Region *> regions;
  std::string deviceName;
};

Reports &reports() {
  static auto *r = new Reports;
  return *r;
}

std::string grouped(uint64_t n) {
  std::string digits = std::to_string(n);
  for (int at = int(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(size_t(at), ",");
  return digits;
}

void printReports() {
  Reports &all = reports();
  std::lock_guard<std::mutex> hold(all.lock);
  for (Region *r : all.regions)
    std::fprintf(stderr, "%s\n",
                 reportLine(*r, all.deviceName.c_str()).c_str());
}

double value(const ParamInfo &p, const char *at) {
  switch (p.bytes) {
  case 4:
    return p.kind == Kind::Float ? double(*reinterpret_cast<const float *>(at))
           : p.kind == Kind::Int
               ? double(*reinterpret_cast<const int *>(at))
               : double(*reinterpret_cast<const unsigned *>(at));
  case 8:
    return p.kind == Kind::Float
               ? *reinterpret_cast<const double *>(at)
               : double(*reinterpret_cast<const int64_t *>(at));
  case 2:
    return double(*reinterpret_cast<const int16_t *>(at));
  }
  return double(*reinterpret_cast<const signed char *>(at));
}

void describeMismatch(const Region &region, const KeptResult &r,
                      const Comparison &c) {
  const RegionInfo &info = region.info;
  const ParamInfo &p = info.params[r.param];
  std::string element = p.name;
  if (p.isArray)
    element += "[" + std::to_string(r.firstElement + int64_t(c.worstAt)) + "]";
  size_t offset = c.worstAt * p.bytes;
  std::fprintf(stderr,
               "autokernel: %s (%s:%u): %s is %.9g from the kernel, %.9g from "
               "the loop; %s of the elements differ\n",
               info.name, info.file, info.line, element.c_str(),
               value(p, r.kernel.data() + offset), value(p, r.loop + offset),
               grouped(c.mismatches).c_str());
}

void raise(std::atomic<double> &worst, double to) {
  double was = worst;
  while (to > was && !worst.compare_exchange_weak(was, to)) {
  }
}

bool compareOne(Region &region, const Kept &kept, const KeptResult &r) {
  const RegionInfo &info = region.info;
  const ParamInfo &p = info.params[r.param];
  double ulps = info.exact ? 0 : allowedUlps(kept.depth);
  Comparison c =
      compareResults(p, r.kernel.data(), r.loop, r.kernel.size() / p.bytes,
                     ulps, info.exact ? 0 : info.relative);
  raise(region.state.worst, c.worst);
  if (c.mismatches && region.state.mismatches == 0)
    describeMismatch(region, r, c);
  return c.mismatches == 0;
}

} // namespace

void keep(Kept kept) { pending().push_back(std::move(kept)); }

std::optional<Kept> takeKept(const Region &region) {
  std::vector<Kept> &list = pending();
  while (!list.empty()) {
    Kept last = std::move(list.back());
    list.pop_back();
    if (last.region == &region)
      return last;
  }
  return std::nullopt;
}

void compareShadow(Region &region) {
  std::optional<Kept> kept = takeKept(region);
  if (!kept)
    return;
  bool equal = true;
  for (const KeptResult &r : kept->results)
    equal &= compareOne(region, *kept, r);
  ++region.state.compared;
  if (!equal)
    ++region.state.mismatches;
}

std::string reportLine(const Region &region, const char *deviceName) {
  const RegionInfo &info = region.info;
  const RegionState &s = region.state;
  std::string line = "autokernel: " + std::string(info.name) + "  ";
  if (s.compared == 0) {
    const char *reason = s.reason;
    std::string which = s.reasonFor.load();
    line += grouped(s.calls) + " calls  none compared";
    if (reason)
      line += ": " + std::string(reason);
    return line + (reason && !which.empty() ? " (" + which + ")" : "");
  }
  char worst[32];
  std::snprintf(worst, sizeof worst, "%.2g", s.worst.load());
  line += grouped(s.compared) + (s.compared == 1 ? " call  " : " calls  ");
  line += grouped(s.mismatches) +
          (s.mismatches == 1 ? " mismatch  " : " mismatches  ");
  line += "worst " + std::string(worst) + " of its bound  (" + info.evidence;
  return line + (*deviceName ? ", " + std::string(deviceName) : "") + ")";
}

void reportAtExit(Region &region) {
  if (region.state.known.exchange(true))
    return;
  static std::once_flag once;
  std::call_once(once, [] { std::atexit(printReports); });
  Reports &all = reports();
  std::lock_guard<std::mutex> hold(all.lock);
  all.regions.push_back(&region);
}

void nameDevice(const char *name) {
  Reports &all = reports();
  std::lock_guard<std::mutex> hold(all.lock);
  all.deviceName = name;
}

void forgetReports() {
  Reports &all = reports();
  std::lock_guard<std::mutex> hold(all.lock);
  for (Region *r : all.regions)
    r->state.known = false;
  all.regions.clear();
}

} // namespace autokernel::runtime
