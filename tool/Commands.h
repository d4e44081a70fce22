// One function a command: takes the options, prints, gives the exit code
// (0 all good, 1 a region is not verified or not fresh); an Error is exit 2.
#pragma once

#include "Options.h"

namespace autokernel {

llvm::Expected<int> runCommand(const Options &options);

llvm::Expected<int> scanCommand(const Options &options);
llvm::Expected<int> generateCommand(const Options &options);
llvm::Expected<int> verifyCommand(const Options &options);
llvm::Expected<int> checkCommand(const Options &options);
llvm::Expected<int> reportCommand(const Options &options);
llvm::Expected<int> explainCommand(const Options &options);
llvm::Expected<int> rewriteCommand(const Options &options);
llvm::Expected<int> mutateCommand(const Options &options);
llvm::Expected<int> bundleCommand(const Options &options);
llvm::Expected<int> ingestCommand(const Options &options);
llvm::Expected<int> mcpCommand(const Options &options);
llvm::Expected<int> completionCommand(const Options &options);
llvm::Expected<int> manCommand(const Options &options);
llvm::Expected<int> doctorCommand(const Options &options);

} // namespace autokernel
