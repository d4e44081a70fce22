// Kernel and loop on the same data, compared.
//
// The kernel's results are kept by the thread until the loop has run. At exit
// one line a region tells how it went.
//
// Surface: Kept, keep(), takeKept(), compareResults(), reportAtExit(),
// nameDevice(), reportLine().
#pragma once

#include "Staging.h"

#include <optional>
#include <string>
#include <vector>

namespace autokernel::runtime {

/// What the kernel gave for one array or scalar result.
struct KeptResult {
  unsigned param = 0;
  const char *loop = nullptr; // where the loop leaves its own
  int64_t firstElement = 0;
  std::vector<char> kernel;
};

struct Kept {
  const Region *region = nullptr;
  double depth = 1;
  std::vector<KeptResult> results;
};

void keep(Kept kept);
std::optional<Kept> takeKept(const Region &region);

struct Comparison {
  size_t mismatches = 0;
  double worst = 0; // of the bound; infinite where there is none
  size_t worstAt = 0;
};

/// Floats: bound is `ulps` roundings of the largest magnitude in the loop's
/// results, or `relative` of it where that isn't 0. Everything else: equal.
Comparison compareResults(const ParamInfo &param, const char *kernel,
                          const char *loop, size_t count, double ulps,
                          double relative);

/// Roundings that `depth` added terms may differ by.
double allowedUlps(double depth);

/// Puts the region into the report that is printed at exit.
void reportAtExit(Region &region);
/// The device that the report names.
void nameDevice(const char *name);
std::string reportLine(const Region &region, const char *deviceName);

void forgetReports(); // for tests

} // namespace autokernel::runtime
