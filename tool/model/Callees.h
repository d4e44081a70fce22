// Functions of the user's that a region calls. Internal.
//
// Taken are functions of numbers: arithmetic parameters by value, an arithmetic
// result, no pointers, no state, no recursion. They are copied beside the
// kernel and into the reference. Surface: takeCallee(), translateMathCall(),
// deviceFunctions(), referenceFunctions().
#pragma once

#include "model/RegionState.h"

namespace autokernel {

/// Notes the function that `call` calls, with all that it calls, and names it
/// in the text; else refuses.
bool takeCallee(RegionState &state, const clang::CallExpr *call);
/// Names the device's function for one of <math.h>; false where there is none.
bool translateMathCall(RegionState &state, const clang::CallExpr *call);

/// Definitions, callees first.
std::string deviceFunctions(const RegionState &state);
std::string referenceFunctions(const RegionState &state);

} // namespace autokernel
