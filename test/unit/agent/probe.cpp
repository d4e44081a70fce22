// provider-probe KIND MODEL [key=value]...: one question, read from the
// standard input, through a provider; the reply as one line of JSON. For the
// protocol tests.
#include "agent/HttpProvider.h"

#include "llvm/Support/raw_ostream.h"

#include <nlohmann/json.hpp>

#include <csignal>
#include <iostream>
#include <iterator>

using namespace autokernel::agent;

namespace {

std::atomic<bool> stopped{false};
extern "C" void onSignal(int) { stopped = true; }

int fail(llvm::Error error) {
  int code = 1;
  llvm::handleAllErrors(
      std::move(error),
      [&](const ProviderError &e) {
        code = e.transient ? 3 : 1;
        llvm::errs() << "error: " << e.message << "\n";
      },
      [](const llvm::ErrorInfoBase &e) {
        llvm::errs() << "error: " << e.message() << "\n";
      });
  return code;
}

void print(const Reply &r) {
  nlohmann::json line = {{"text", r.text},
                         {"model", r.model},
                         {"stop", r.stop},
                         {"retries", r.retries},
                         {"seconds", r.seconds},
                         {"input", r.usage.inputTokens},
                         {"output", r.usage.outputTokens},
                         {"cached", r.usage.cachedTokens}};
  llvm::outs() << line.dump() << "\n";
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  ProviderOptions options;
  options.kind = argv[1];
  options.model = argv[2];
  RetryPolicy policy;
  policy.firstDelay = 0.02;
  bool show = false;
  for (int i = 3; i < argc; ++i) {
    auto [key, value] = llvm::StringRef(argv[i]).split('=');
    if (key == "url")
      options.baseUrl = value.str();
    else if (key == "key")
      options.keyVariable = value.str();
    else if (key == "timeout")
      value.getAsInteger(10, options.timeoutSeconds);
    else if (key == "delay")
      value.getAsDouble(policy.firstDelay);
    else if (key == "retries")
      value.getAsInteger(10, policy.retries);
    else if (key == "show")
      show = true;
    else
      return 2;
  }
  std::signal(SIGINT, onSignal);
  auto provider = makeHttpProvider(options, policy);
  if (!provider)
    return fail(provider.takeError());
  std::istreambuf_iterator<char> begin(std::cin), end;
  Request request{"Write kernels.", {{Message::User, {begin, end}}}, 1000};
  if (show) {
    llvm::outs() << (*provider)->describe(request);
    return 0;
  }
  auto reply = (*provider)->ask(request, stopped);
  if (!reply)
    return fail(reply.takeError());
  print(*reply);
  return 0;
}
