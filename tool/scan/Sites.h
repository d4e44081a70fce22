// Where regions stand: in the source or in a header, written once or
// instantiated, and which of these places can't be rewritten.
//
// Surface: settleSites().
#pragma once

#include "scan/Scan.h"

namespace autokernel {

/// Fills in the headers, puts the source's own sites first, adds those
/// `patterns` that nothing instantiates.
void settleSites(const ParsedUnit &unit, std::vector<Site> &sites,
                  const std::vector<Site> &patterns);

} // namespace autokernel
