// Who includes whom, from a unit's #include directives.
//
// Surface: includersOf().
#pragma once

#include "Types.h"

#include <set>

namespace autokernel {

/// `files` and all that include one of them, directly or not. The source
/// itself, "", and CommandLineFile are among them where they do.
std::set<std::string> includersOf(std::set<std::string> files,
                                  const std::vector<Inclusion> &inclusions);

} // namespace autokernel
