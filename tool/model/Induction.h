// Induction variables of counted loops. Internal.
#pragma once

#include "model/RegionState.h"

namespace autokernel {

/// The variables that become locals of `s`, a counted loop whose counter is
/// known already; from here on their values and names are those of the body.
std::vector<ActiveInduction> enterInductions(RegionState &state,
                                             const clang::ForStmt *s,
                                             const CountedLoop &header,
                                             unsigned loop);
void leaveInductions(RegionState &state, const clang::ForStmt *s,
                     const std::vector<ActiveInduction> &list);
/// Takes an update of `v` into account; false where it is no such variable.
bool moveInduction(RegionState &state, const clang::VarDecl *v,
                   const UpdateForm &form);

} // namespace autokernel
