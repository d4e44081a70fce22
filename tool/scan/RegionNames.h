// Names of regions: what the user gave, else the function's, numbered where
// needed. Surface: nameSites().
#pragma once

#include "scan/Scan.h"

namespace autokernel {

/// Gives every region of the source `file` an id of its own.
void nameSites(std::vector<Site> &sites, llvm::StringRef file);

} // namespace autokernel
