// scan and model of one source, for code that doesn't see Clang.
//
// Surface: findCommandsFor(), analyse().
#pragma once

#include "Types.h"

#include "llvm/Support/Error.h"

namespace autokernel {

struct UnitCommand {
  std::string directory, file;
  std::vector<std::string> arguments;
};

struct AnalysedRegion {
  Region region;
  std::optional<Model> model; // or
  std::optional<Refusal> refusal;
};

struct UnitResult {
  UnitCommand command;
  std::vector<AnalysedRegion> regions;
  std::vector<Refusal> misuses;
  std::vector<std::string> dependencies;
  std::vector<Inclusion> inclusions; // where a region is in a header
};

/// Commands of `file` in the database of `buildDir`; with `flags`, those.
llvm::Expected<std::vector<UnitCommand>>
findCommandsFor(const std::string &buildDir, const std::string &file,
                const std::vector<std::string> &flags);

llvm::Expected<UnitResult> analyse(const UnitCommand &command);

} // namespace autokernel
