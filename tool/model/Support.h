// What a region's text needs around it: types, constants, helpers. Internal.
#pragma once

#include "model/RegionState.h"

namespace autokernel {

/// As CUDA C++, for kernels.
std::string deviceSupport(const RegionState &state);
/// As C or C++ (the region's language), for the reference.
std::string referenceSupport(const RegionState &state);

/// The whole reference file.
std::string referenceText(const RegionState &state);
/// Whether the reference's text has the variables that the AST has: a check on
/// the rewriting of containers and members, which both went through.
bool isFaithful(const RegionState &state);
/// 32 hex digits over everything that decides what the region computes.
std::string fingerprintOf(const RegionState &state, const std::string &support);

} // namespace autokernel
