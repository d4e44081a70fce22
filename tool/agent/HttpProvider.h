// Models behind HTTP interfaces: OpenAI's, Anthropic's, servers like them.
// Surface: makeHttpProvider().
#pragma once

#include "agent/Provider.h"
#include "agent/http/Retry.h"

namespace autokernel::agent {

/// For the kinds openai (Chat Completions), openai-responses and anthropic.
/// `timeoutSeconds` is the time for one reply, retries included. The key is
/// read here, from the environment, and leaves only in the request's header:
/// every error and every reply is searched for it. Errors: unknown kind, no
/// model, no key where the official server is asked, a base URL that isn't
/// http(s) or holds credentials.
llvm::Expected<std::unique_ptr<Provider>>
makeHttpProvider(const ProviderOptions &options,
                 const RetryPolicy &policy = {});

} // namespace autokernel::agent
