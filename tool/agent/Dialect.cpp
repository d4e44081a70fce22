#include "agent/Dialect.h"

#include "agent/http/Retry.h"

#include "llvm/ADT/StringSwitch.h"

#include <nlohmann/json.hpp>

namespace autokernel::agent {

using nlohmann::json;

const json &valueAt(const json &object, const char *key) {
  static const json nothing;
  if (!object.is_object())
    return nothing;
  auto found = object.find(key);
  return found == object.end() ? nothing : *found;
}

llvm::StringRef stringAt(const json &object, const char *key) {
  const json &value = valueAt(object, key);
  return value.is_string()
             ? llvm::StringRef(value.get_ref<const std::string &>())
             : llvm::StringRef();
}

uint64_t countAt(const json &object, const char *key) {
  const json &value = valueAt(object, key);
  return value.is_number_unsigned() ? value.get<uint64_t>() : 0;
}

std::string dump(const json &value, int indent) {
  return value.dump(indent, ' ', false, json::error_handler_t::replace);
}

json roleAndContent(const std::vector<Message> &messages) {
  json list = json::array();
  for (const Message &m : messages)
    list.push_back({{"role", m.role == Message::User ? "user" : "assistant"},
                    {"content", m.text}});
  return list;
}

namespace {

bool isTransientKind(llvm::StringRef kind) {
  return llvm::StringSwitch<bool>(kind)
      .Cases({"overloaded_error", "api_error", "rate_limit_error"}, true)
      .Cases({"timeout_error", "server_error", "rate_limit_exceeded"}, true)
      .Cases({"internal_error", "internal_server_error", "overloaded"}, true)
      .Default(false);
}

ApiError fromObject(const json &error) {
  const json &code = valueAt(error, "code");
  ApiError e{code.is_string() ? code.get<std::string>()
                              : stringAt(error, "type").str(),
             stringAt(error, "message").str()};
  e.transient =
      isTransientKind(e.kind) ||
      (code.is_number_integer() && isTransientStatus(code.get<long>()));
  if (e.kind.empty() && code.is_number())
    e.kind = dump(code, -1);
  if (e.message.empty())
    e.message = dump(error, -1);
  return e;
}

llvm::Error problem(const std::string &message, bool transient) {
  return llvm::make_error<ProviderError>(message, transient);
}

} // namespace

std::optional<ApiError> errorIn(const json &reply) {
  const json &error = valueAt(reply, "error");
  if (error.is_string())
    return ApiError{"", error.get<std::string>()};
  if (error.is_object())
    return fromObject(error);
  // OpenAI's Responses: an event of its own, or within the failed response.
  if (stringAt(reply, "type") == "error")
    return fromObject(reply);
  const json &inner = valueAt(valueAt(reply, "response"), "error");
  if (inner.is_object())
    return fromObject(inner);
  return std::nullopt;
}

llvm::Error ReplyReader::event(llvm::StringRef data) {
  if (data == "[DONE]") { // OpenAI's streams end so
    if (result.stop.empty())
      result.stop = "end";
    complete = done = true;
    return llvm::Error::success();
  }
  return read(data, false);
}

llvm::Error ReplyReader::whole(llvm::StringRef body) {
  return read(body, true);
}

llvm::Error ReplyReader::read(llvm::StringRef text, bool isWhole) {
  json value = json::parse(text.begin(), text.end(), nullptr, false);
  if (value.is_discarded() || !value.is_object())
    return problem("the reply is not JSON: " + text.take_front(200).str(),
                   true);
  if (std::optional<ApiError> e = errorIn(value))
    return problem((e->kind.empty() ? "" : e->kind + ": ") + e->message,
                   e->transient);
  isWhole ? readWhole(value) : readEvent(value);
  if (result.text.size() > LargestText)
    return problem("the reply's text is longer than 8 MB", false);
  return llvm::Error::success();
}

} // namespace autokernel::agent
