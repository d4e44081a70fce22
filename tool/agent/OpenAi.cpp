// OpenAI's two interfaces. The older one, Chat Completions, is what nearly all
// other servers offer too (llama.cpp, vLLM, Ollama, Hugging Face's router).
#include "agent/Dialect.h"

#include "llvm/ADT/StringSwitch.h"

#include <nlohmann/json.hpp>

namespace autokernel::agent {

using nlohmann::json;

namespace {

std::string stopOf(llvm::StringRef reason) {
  return llvm::StringSwitch<std::string>(reason)
      .Cases({"stop", "completed", "eos"}, "end")
      .Cases({"length", "max_output_tokens", "max_tokens"}, "length")
      .Case("content_filter", "refusal")
      .Default(reason.str());
}

class ChatReader : public ReplyReader {
  // The tokens are counted after the end; "[DONE]" is the last word.
  bool isOver() const override { return done; }
  void readEvent(const json &event) override { read(event, "delta"); }
  void readWhole(const json &body) override { read(body, "message"); }

  void read(const json &chunk, const char *part) {
    if (llvm::StringRef model = stringAt(chunk, "model"); !model.empty())
      result.model = model.str();
    readUsage(valueAt(chunk, "usage")); // streams: in a last chunk of its own
    const json &choices = valueAt(chunk, "choices");
    if (!choices.is_array() || choices.empty())
      return;
    const json &choice = choices.front();
    const json &message = valueAt(choice, part);
    result.text += stringAt(message, "content");
    if (llvm::StringRef refusal = stringAt(message, "refusal");
        !refusal.empty()) {
      result.text += refusal;
      refused = true;
    }
    if (llvm::StringRef reason = stringAt(choice, "finish_reason");
        !reason.empty()) {
      result.stop = refused ? "refusal" : stopOf(reason);
      complete = true;
    }
  }

  void readUsage(const json &usage) {
    if (!usage.is_object())
      return;
    result.usage.inputTokens = countAt(usage, "prompt_tokens");
    result.usage.outputTokens = countAt(usage, "completion_tokens");
    result.usage.cachedTokens =
        countAt(valueAt(usage, "prompt_tokens_details"), "cached_tokens");
  }

  bool refused = false;
};

class ResponsesReader : public ReplyReader {
  void readEvent(const json &event) override {
    llvm::StringRef type = stringAt(event, "type");
    if (type == "response.output_text.delta") {
      result.text += stringAt(event, "delta");
    } else if (type == "response.refusal.delta") {
      result.text += stringAt(event, "delta");
      refused = true;
    } else if (type == "response.completed" || type == "response.incomplete" ||
               type == "response.failed") {
      readEnd(valueAt(event, "response"));
    }
  }

  void readWhole(const json &body) override {
    const json &output = valueAt(body, "output");
    if (output.is_array())
      for (const json &item : output)
        readItem(valueAt(item, "content"));
    if (!stringAt(body, "status").empty())
      readEnd(body);
  }

  void readItem(const json &content) {
    if (!content.is_array())
      return;
    for (const json &part : content) {
      result.text += stringAt(part, "text");
      result.text += stringAt(part, "refusal");
      refused |= stringAt(part, "type") == "refusal";
    }
  }

  void readEnd(const json &response) {
    result.model = stringAt(response, "model").str();
    const json &usage = valueAt(response, "usage");
    result.usage.inputTokens = countAt(usage, "input_tokens");
    result.usage.outputTokens = countAt(usage, "output_tokens");
    result.usage.cachedTokens =
        countAt(valueAt(usage, "input_tokens_details"), "cached_tokens");
    llvm::StringRef status = stringAt(response, "status");
    if (status == "incomplete")
      status = stringAt(valueAt(response, "incomplete_details"), "reason");
    result.stop = refused ? "refusal" : stopOf(status);
    complete = true;
  }

  bool refused = false;
};

json chatBody(const Request &request, const std::string &model,
              bool isOfficial) {
  json messages = roleAndContent(request.messages);
  const json system = {{"role", "system"}, {"content", request.system}};
  if (!request.system.empty())
    messages.insert(messages.begin(), system);
  // OpenAI's newer models refuse the old name, other servers know only that.
  const char *limit = isOfficial ? "max_completion_tokens" : "max_tokens";
  return {{"model", model},
          {"messages", std::move(messages)},
          {limit, request.maxTokens},
          {"stream", true},
          {"stream_options", {{"include_usage", true}}}};
}

json responsesBody(const Request &request, const std::string &model, bool) {
  json body = {{"model", model},
               {"input", roleAndContent(request.messages)},
               {"max_output_tokens", request.maxTokens},
               {"store", false}, // the server keeps nothing to refer to later
               {"stream", true}};
  if (!request.system.empty())
    body["instructions"] = request.system;
  return body;
}

} // namespace

const Dialect &chatCompletions() {
  static const Dialect dialect{"openai",
                               "/chat/completions",
                               "https://api.openai.com/v1",
                               "OPENAI_BASE_URL",
                               "OPENAI_API_KEY",
                               "Authorization: Bearer ",
                               {},
                               chatBody,
                               []() -> std::unique_ptr<ReplyReader> {
                                 return std::make_unique<ChatReader>();
                               }};
  return dialect;
}

const Dialect &responses() {
  static const Dialect dialect{"openai-responses",
                               "/responses",
                               "https://api.openai.com/v1",
                               "OPENAI_BASE_URL",
                               "OPENAI_API_KEY",
                               "Authorization: Bearer ",
                               {},
                               responsesBody,
                               []() -> std::unique_ptr<ReplyReader> {
                                 return std::make_unique<ResponsesReader>();
                               }};
  return dialect;
}

} // namespace autokernel::agent
