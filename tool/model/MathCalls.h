// Functions that exist on the host and in device code.
//
// C promotes where C++ overloads, and std:: has names of its own; a kernel
// needs the one function that the host compiler resolved. Surface:
// resolveMathCall().
#pragma once

#include "clang/AST/Expr.h"

#include <optional>
#include <string>

namespace autokernel {

struct MathCall {
  std::string name;          // in device code: "sqrtf", "autokernel_max"
  std::string castArguments; // type all arguments are cast to, or empty
  bool needsMinMax = false;  // uses the helpers below
  bool isConstant = false;   // `name` stands for the whole call
};

/// What to call in a kernel, or nothing for a function that is not known.
std::optional<MathCall> resolveMathCall(const clang::CallExpr *call);

/// Definitions of autokernel_min/max, which compare as std::min/max do.
extern const char *const MinMaxHelpers;

} // namespace autokernel
