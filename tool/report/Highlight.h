// Program text as HTML. Surface: htmlOfCode(), htmlOfDifference().
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace autokernel {

/// C, C++ or CUDA: comments, strings, directives and words of the language in
/// spans of the classes c, s, p and k.
std::string htmlOfCode(llvm::StringRef text);

/// A unified difference: added, removed and place lines in the classes a, r, h.
std::string htmlOfDifference(llvm::StringRef text);

} // namespace autokernel
