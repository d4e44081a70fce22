// Names and declarations that the header, the CUDA file and the rewritten
// source have in common.
//
// Surface: dispatchName(), compareName(), launcherName(), declaredParams(),
// passedArguments(), quoted().
#pragma once

#include "emit/Emit.h"

namespace autokernel {

std::string dispatchName(const EmitItem &item);
std::string compareName(const EmitItem &item);
/// The stored file has it without hashes. The same kernel may be in several
/// files of one program, so the file's name counts, too.
std::string launcherName(const EmitItem &item, llvm::StringRef headerPath);

/// "int p0, const void *p1, ...": numbered, as the user's names may be macros.
std::string declaredParams(const EmitItem &item);
/// "n, x, &(sum), ...".
std::string passedArguments(const EmitItem &item);

/// As a C string literal.
std::string quoted(llvm::StringRef text);

} // namespace autokernel
