// The #include directives of a unit, as they were resolved.
//
// Surface: inclusionsOf(), realPathOf().
#pragma once

#include "scan/Unit.h"

#include "Types.h"

namespace autokernel {

/// Real path of the file; empty for the unit's own.
std::string realPathOf(const ParsedUnit &unit, clang::FileID file);

/// With real paths, which cost a system call a file.
std::vector<Inclusion> inclusionsOf(const ParsedUnit &unit);

} // namespace autokernel
