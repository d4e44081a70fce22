// One POST over HTTP. The only place that sees curl.
// Surface: post().
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace autokernel::agent {

struct HttpRequest {
  std::string url;
  std::vector<std::string> headers; // "name: value"; holds the key
  std::string body;
  double timeoutSeconds = 600; // from the first try to connect to the last byte
};

struct HttpResponse {
  long status = 0;
  long retryAfter = -1; // seconds; -1: the server doesn't say
};

/// Gets the status and each piece of the unpacked body; false: that is enough.
using OnBytes = std::function<bool(long status, llvm::StringRef)>;

/// Looks at `stop` five times a second. Proxies are curl's (HTTPS_PROXY,
/// NO_PROXY, ...); certificates come from CURL_CA_BUNDLE, SSL_CERT_FILE,
/// SSL_CERT_DIR or the system. Redirections aren't followed: the key belongs
/// to one host. Errors, ProviderErrors, are those of the connection; a status
/// of 400 and above is none.
llvm::Expected<HttpResponse> post(const HttpRequest &request,
                                  const OnBytes &onBytes,
                                  const std::atomic<bool> &stop);

} // namespace autokernel::agent
