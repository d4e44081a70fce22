// A contract as the constant tables of autokernel/dispatch.h.
//
// Surface: contractTables().
#pragma once

#include "emit/Emit.h"

namespace autokernel {

/// Definitions of `params`, `loops`, `facts`, `accesses`, `guards` and
/// `assumptions`, and of what they point to. A table without entries is a null
/// pointer of the same name.
std::string contractTables(const Contract &contract);

} // namespace autokernel
