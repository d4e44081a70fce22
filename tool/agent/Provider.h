// Who writes the candidates: a model behind an API, a program, a recording.
//
// A Provider turns one conversation into one reply. It knows nothing of
// kernels; the loop (Loop.h) makes the messages and reads the reply.
#pragma once

#include "llvm/Support/Error.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace autokernel::agent {

struct Message {
  enum Role { User, Assistant } role = User;
  std::string text;
};

struct Request {
  std::string system; // stays the same over a region's attempts
  std::vector<Message> messages;
  uint64_t maxTokens = 16384; // of the reply
};

struct Usage {
  uint64_t inputTokens = 0, outputTokens = 0, cachedTokens = 0;
};

struct Reply {
  std::string text;
  Usage usage;
  std::string model; // as the provider names it
  std::string stop;  // "end", "length", "refusal": why the text ended
  unsigned retries = 0;
  double seconds = 0;
};

/// What went wrong, and whether another try could help. `message` never
/// contains a key.
class ProviderError : public llvm::ErrorInfo<ProviderError> {
public:
  static char ID;
  ProviderError(std::string message, bool transient)
      : message(std::move(message)), transient(transient) {}
  void log(llvm::raw_ostream &os) const override { os << message; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
  std::string message;
  bool transient;
};

class Provider {
public:
  virtual ~Provider() = default;
  /// One reply; blocks. Returns soon, with an error, once `stop` is set.
  virtual llvm::Expected<Reply> ask(const Request &request,
                                    const std::atomic<bool> &stop) = 0;
  /// "openai gpt-4o", "command ./writer", "replay FILE": for evidence.
  virtual std::string name() const = 0;
  /// The request as text, exactly what would leave the machine, without keys.
  virtual std::string describe(const Request &request) const = 0;
};

struct ProviderOptions {
  std::string kind;        // openai, anthropic, command, replay
  std::string model;       // of the APIs
  std::string command;     // a program with arguments; replay: a file
  std::string baseUrl;     // empty: from the environment, else the official one
  std::string keyVariable; // empty: the official SDK's name
  unsigned timeoutSeconds = 600;
};

/// Errors: unknown kind, missing key, no such file.
llvm::Expected<std::unique_ptr<Provider>>
makeProvider(const ProviderOptions &options);

} // namespace autokernel::agent
