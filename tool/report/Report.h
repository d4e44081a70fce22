// A page about regions and their kernels, for people who review them.
// Surface: ReportItem, Change, changeOf(), markdownReport(), htmlReport().
#pragma once

#include "Types.h"

namespace autokernel {

/// What a branch did to a region's kernel.
enum class Change {
  None,     // no base to compare with, or the same as there
  New,      // no kernel there
  Loop,     // another loop, and so another kernel
  Kernel,   // the same loop, another kernel
  Evidence, // the same kernel, verified otherwise
  Removed,  // no kernel here
  Unserved  // no kernel on either side, in a source that changed
};

/// `before` and `now` are what the stores have.
Change changeOf(const StoredKernel *before, const StoredKernel *now);

struct ReportItem {
  std::string id, place, function;
  StoreState state = StoreState::Missing;
  std::string reason; // for the state
  std::optional<Refusal> refusal;
  Change change = Change::None;
  std::optional<Contract> contract; // of the present source
  std::optional<StoredKernel> kernel;
  std::string verdict;    // in words
  std::string loop;       // the source's text; empty: gone
  std::string kernelPath; // for people
  std::string difference; // of the kernel's text to the base, unified
  std::string reproduce;  // a command
};

struct Report {
  std::string base; // revision compared with, as the user named it; or empty
  std::vector<ReportItem> items;
};

std::string markdownReport(const Report &report);
/// One file that needs nothing else: no script, no network.
std::string htmlReport(const Report &report);

} // namespace autokernel
