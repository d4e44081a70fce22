// Calls of the standard library's algorithms as loops. Internal.
//
// Surface: writeAlgorithm().
#pragma once

#include "model/Expansion.h"

namespace autokernel {

struct AlgorithmText {
  std::string why;        // it can't be written as a loop
  clang::QualType result; // null where the value can't be used
  Snippet block;
};
/// `result` is the name of the variable for the value.
AlgorithmText writeAlgorithm(const ParsedUnit &unit, const SourceText &text,
                             FreshNames &names, const clang::CallExpr *call,
                             const std::string &result);

} // namespace autokernel
