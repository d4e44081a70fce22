// Anthropic's Messages interface.
#include "agent/Dialect.h"

#include "llvm/ADT/StringSwitch.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace autokernel::agent {

using nlohmann::json;

namespace {

std::string stopOf(llvm::StringRef reason) {
  return llvm::StringSwitch<std::string>(reason)
      .Cases({"end_turn", "stop_sequence"}, "end")
      .Cases({"max_tokens", "model_context_window_exceeded"}, "length")
      .Default(reason.str());
}

class MessagesReader : public ReplyReader {
  void readEvent(const json &event) override {
    llvm::StringRef type = stringAt(event, "type");
    if (type == "message_start") {
      const json &message = valueAt(event, "message");
      result.model = stringAt(message, "model").str();
      readUsage(valueAt(message, "usage"));
    } else if (type == "content_block_delta") {
      const json &delta = valueAt(event, "delta");
      if (stringAt(delta, "type") == "text_delta") // others: thinking, tools
        result.text += stringAt(delta, "text");
    } else if (type == "message_delta") {
      readStop(valueAt(event, "delta"));
      readUsage(valueAt(event, "usage"));
    } else if (type == "message_stop") {
      complete = true;
    }
  }

  void readWhole(const json &body) override {
    result.model = stringAt(body, "model").str();
    const json &content = valueAt(body, "content");
    if (!content.is_array())
      return;
    for (const json &block : content)
      if (stringAt(block, "type") == "text")
        result.text += stringAt(block, "text");
    readStop(body);
    readUsage(valueAt(body, "usage"));
    complete = true;
  }

  void readStop(const json &object) {
    if (llvm::StringRef reason = stringAt(object, "stop_reason");
        !reason.empty())
      result.stop = stopOf(reason);
  }

  /// Each report is the sum up to then; the last has no input with some
  /// servers. What the cache took and gave is counted apart: add it.
  void readUsage(const json &usage) {
    if (!usage.is_object())
      return;
    Usage &u = result.usage;
    u.outputTokens = std::max(u.outputTokens, countAt(usage, "output_tokens"));
    u.cachedTokens =
        std::max(u.cachedTokens, countAt(usage, "cache_read_input_tokens"));
    uint64_t input = countAt(usage, "input_tokens") +
                     countAt(usage, "cache_read_input_tokens") +
                     countAt(usage, "cache_creation_input_tokens");
    u.inputTokens = std::max(u.inputTokens, input);
  }
};

/// The older models refuse a larger limit instead of lowering it.
uint64_t largestReply(llvm::StringRef model) {
  if (model.starts_with("claude-3-5-"))
    return 8192;
  return model.starts_with("claude-3-") && !model.starts_with("claude-3-7-")
             ? 4096
             : UINT64_MAX;
}

json body(const Request &request, const std::string &model, bool) {
  json body = {{"model", model},
               {"max_tokens", std::min(request.maxTokens, largestReply(model))},
               {"messages", roleAndContent(request.messages)},
               {"stream", true}};
  // The same for all attempts at a region: worth keeping on the server.
  if (!request.system.empty())
    body["system"] =
        json::array({{{"type", "text"},
                      {"text", request.system},
                      {"cache_control", {{"type", "ephemeral"}}}}});
  return body;
}

} // namespace

const Dialect &messages() {
  static const Dialect dialect{"anthropic",
                               "/v1/messages",
                               "https://api.anthropic.com",
                               "ANTHROPIC_BASE_URL",
                               "ANTHROPIC_API_KEY",
                               "x-api-key: ",
                               {"anthropic-version: 2023-06-01"},
                               body,
                               []() -> std::unique_ptr<ReplyReader> {
                                 return std::make_unique<MessagesReader>();
                               }};
  return dialect;
}

} // namespace autokernel::agent
