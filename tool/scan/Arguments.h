// Compile commands, made fit for Clang.
//
// A database written for another compiler names flags that Clang rejects, turns
// warnings into errors, or asks for outputs. Surface: adjustedArguments().
#pragma once

#include <string>
#include <vector>

namespace autokernel {

/// The command of one source for `-fsyntax-only` in process: unknown flags,
/// outputs, dependency files, precompiled headers and warning options dropped,
/// Clang's own headers added.
std::vector<std::string>
adjustedArguments(const std::vector<std::string> &command,
                  const std::string &source);

/// Folder of Clang's built-in headers: $AUTOKERNEL_RESOURCE_DIR, else the one
/// beside the library this was built with.
std::string clangResourceDir();

} // namespace autokernel
