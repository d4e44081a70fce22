// Instantiations of templates: what tells one from the others, in words and as
// a condition that stands in the template's text.
//
// Surface: instanceOf().
#pragma once

#include "clang/AST/Decl.h"

#include <optional>
#include <string>

namespace autokernel {

struct Instance {
  std::string suffix;    // "float_4"
  std::string arguments; // "<float, 4>"
  /// C++ text, of ::autokernel_choice::same and named, and ==.
  std::string condition;
  std::string problem; // why there is no such condition
  /// A type is told by its name as the compiler prints it. Clang prints a local
  /// type without its function: such a type is named likewise.
  std::string printedType;
  bool hasLocalType = false;
};

/// Nothing for a function that comes from no template. `place` is where the
/// condition will stand.
std::optional<Instance> instanceOf(const clang::FunctionDecl *function,
                                   clang::SourceLocation place);

} // namespace autokernel
