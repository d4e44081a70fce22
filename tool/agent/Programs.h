// Providers that ask no API: a program of the user's, a recorded transcript.
// Surface: makeCommandProvider(), makeReplayProvider().
#pragma once

#include "agent/Provider.h"

namespace autokernel::agent {

/// Runs `command` in a shell for each reply: the prompt on its standard input,
/// the reply on its output. It fails where the program does, writes more than
/// 8 MB, or takes longer than `seconds`.
std::unique_ptr<Provider> makeCommandProvider(const std::string &command,
                                              unsigned seconds);

/// Gives the replies of a transcript's last run, in their order; fails when
/// there are no more. Errors: no such file, no replies in it.
llvm::Expected<std::unique_ptr<Provider>>
makeReplayProvider(const std::string &file);

/// A request as one text, as programs get it.
std::string plainText(const Request &request);

} // namespace autokernel::agent
