// What two interfaces to models differ in: the request's form, the reply's.
// Surface: Dialect, ReplyReader, chatCompletions(), responses(), messages(),
// errorIn().
#pragma once

#include "agent/Provider.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>

namespace autokernel::agent {

/// An error that the server puts into words.
struct ApiError {
  std::string kind, message;
  bool transient = false;
};

/// The error object in a reply or an event, in any of the usual forms.
std::optional<ApiError> errorIn(const nlohmann::json &reply);

/// Collects one reply, from a stream's events or from one JSON text.
class ReplyReader {
public:
  static constexpr size_t LargestText = 8 << 20;

  virtual ~ReplyReader() = default;
  /// One event of the stream. Errors are ProviderErrors.
  llvm::Error event(llvm::StringRef data);
  /// The reply of a server that doesn't stream.
  llvm::Error whole(llvm::StringRef body);
  /// The text's end has been seen; without it the stream was cut off.
  bool isComplete() const { return complete; }
  /// Nothing more will come; some servers keep the connection open.
  virtual bool isOver() const { return complete; }
  Reply &reply() { return result; }

protected:
  virtual void readEvent(const nlohmann::json &event) = 0;
  virtual void readWhole(const nlohmann::json &body) = 0;

  Reply result;
  bool complete = false;
  bool done = false; // "[DONE]" has been seen

private:
  llvm::Error read(llvm::StringRef text, bool isWhole);
};

/// Looks things up in JSON that may be of any shape.
llvm::StringRef stringAt(const nlohmann::json &object, const char *key);
uint64_t countAt(const nlohmann::json &object, const char *key);
const nlohmann::json &valueAt(const nlohmann::json &object, const char *key);
/// Source text may hold bytes that are no UTF-8; they are replaced.
std::string dump(const nlohmann::json &value, int indent);
/// `messages` as both companies write them: role and content.
nlohmann::json roleAndContent(const std::vector<Message> &messages);

struct Dialect {
  const char *kind; // as --generator names it
  const char *path; // below the base URL
  const char *officialUrl;
  const char *urlVariable, *keyVariable;
  const char *keyHeader; // the key goes behind it
  std::vector<std::string> headers;
  nlohmann::json (*body)(const Request &request, const std::string &model,
                         bool isOfficial);
  std::unique_ptr<ReplyReader> (*reader)();
};

const Dialect &chatCompletions(); // OpenAI and most other servers
const Dialect &responses();       // OpenAI's newer interface
const Dialect &messages();        // Anthropic

} // namespace autokernel::agent
