#include "agent/HttpProvider.h"
#include "agent/Programs.h"

namespace autokernel::agent {

llvm::Expected<std::unique_ptr<Provider>>
makeProvider(const ProviderOptions &options) {
  if (options.kind == "command") {
    if (options.command.empty())
      return llvm::createStringError(
          llvm::inconvertibleErrorCode(),
          "--generator=command needs --command=\"PROGRAM ...\"");
    return makeCommandProvider(options.command, options.timeoutSeconds);
  }
  if (options.kind == "replay") {
    if (options.command.empty())
      return llvm::createStringError(
          llvm::inconvertibleErrorCode(),
          "--generator=replay needs --replay=FILE, a transcript");
    return makeReplayProvider(options.command);
  }
  return makeHttpProvider(options);
}

} // namespace autokernel::agent
