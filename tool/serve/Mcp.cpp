#include "serve/Mcp.h"

namespace autokernel {

namespace {

/// Newest first.
constexpr const char *Revisions[] = {"2025-06-18", "2025-03-26", "2024-11-05"};
constexpr size_t LongestMessage = 16 << 20;

enum Code {
  ParseError = -32700,
  InvalidRequest = -32600,
  NoSuchMethod = -32601,
  InvalidParameters = -32602,
  InternalError = -32603,
  NoSuchResource = -32002
};

/// A request that is answered with an error of the protocol.
class Refused : public llvm::ErrorInfo<Refused> {
public:
  static char ID;
  Refused(Code code, std::string message)
      : code(code), message(std::move(message)) {}
  void log(llvm::raw_ostream &os) const override { os << message; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
  Code code;
  std::string message;
};
char Refused::ID;

llvm::Error refused(Code code, const std::string &message) {
  return llvm::make_error<Refused>(code, message);
}

Json errorTo(const Json &id, Code code, const std::string &message) {
  return {{"jsonrpc", "2.0"},
          {"id", id},
          {"error", {{"code", int(code)}, {"message", message}}}};
}

llvm::Expected<std::string> textOf(const Json &object, const char *key) {
  auto it = object.find(key);
  if (it == object.end() || !it->is_string())
    return refused(InvalidParameters,
                   std::string("the parameter '") + key + "' is a string");
  return it->get<std::string>();
}

/// Names and types only: the tools check what they mean.
llvm::Error checkArguments(const McpTool &tool, const Json &arguments) {
  const Json &known = tool.parameters.at("properties");
  for (const auto &[name, value] : arguments.items()) {
    if (!known.contains(name))
      return refused(InvalidParameters,
                     tool.name + " has no argument '" + name + "'");
    if (!value.is_string())
      return refused(InvalidParameters, "'" + name + "' is a string");
  }
  for (const Json &name : tool.parameters.at("required"))
    if (!arguments.contains(name.get<std::string>()))
      return refused(InvalidParameters, tool.name + " needs the argument '" +
                                            name.get<std::string>() + "'");
  return llvm::Error::success();
}

Json textContent(const std::string &text) {
  return Json::array({{{"type", "text"}, {"text", text}}});
}

std::string dumped(const Json &json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

} // namespace

std::optional<Json> McpServer::handle(const std::string &message) {
  Json in = Json::parse(message, nullptr, /*allow_exceptions=*/false);
  if (in.is_discarded())
    return errorTo(nullptr, ParseError, "the message is not JSON");
  if (!in.is_object() || !in.contains("jsonrpc") || in["jsonrpc"] != "2.0")
    return errorTo(nullptr, InvalidRequest,
                   "a message is one JSON-RPC 2.0 object");
  if (!in.contains("method"))
    return std::nullopt; // an answer: nothing was asked
  Json id = in.contains("id") ? in["id"] : Json();
  if (!in["method"].is_string())
    return errorTo(id, InvalidRequest, "the method is a string");
  std::string method = in["method"];
  if (!in.contains("id"))
    return std::nullopt;
  if (!id.is_string() && !id.is_number_integer())
    return errorTo(nullptr, InvalidRequest, "the id is a string or an integer");
  Json parameters = in.contains("params") ? in["params"] : Json::object();
  if (!parameters.is_object())
    return errorTo(id, InvalidParameters, "the parameters are an object");
  auto result = answer(method, parameters);
  if (result)
    return Json{{"jsonrpc", "2.0"}, {"id", id}, {"result", *result}};
  Json error;
  llvm::handleAllErrors(
      result.takeError(),
      [&](const Refused &e) { error = errorTo(id, e.code, e.message); },
      [&](const llvm::ErrorInfoBase &e) {
        error = errorTo(id, InternalError, e.message());
      });
  return error;
}

llvm::Expected<Json> McpServer::answer(const std::string &method,
                                       const Json &parameters) {
  if (method == "initialize")
    return initialize(parameters);
  if (method == "ping")
    return Json(Json::object());
  if (!initialized)
    return refused(InvalidRequest, "the first request is initialize");
  if (method == "tools/list")
    return listTools();
  if (method == "tools/call")
    return callTool(parameters);
  if (method == "resources/list")
    return listResources();
  if (method == "resources/templates/list")
    return Json{{"resourceTemplates", Json::array()}};
  if (method == "resources/read")
    return readResource(parameters);
  if (method == "prompts/list")
    return listPrompts();
  if (method == "prompts/get")
    return getPrompt(parameters);
  return refused(NoSuchMethod, "there is no method '" + method + "'");
}

llvm::Expected<Json> McpServer::initialize(const Json &parameters) {
  std::string revision = Revisions[0];
  auto wanted = textOf(parameters, "protocolVersion");
  if (!wanted)
    return wanted.takeError();
  for (const char *known : Revisions)
    if (*wanted == known)
      revision = known;
  if (auto it = parameters.find("clientInfo");
      it != parameters.end() && it->is_object()) {
    auto name = textOf(*it, "name");
    if (!name)
      return name.takeError();
    introduced(name->substr(0, 60));
  }
  initialized = true;
  return Json{
      {"protocolVersion", revision},
      {"capabilities",
       {{"tools", Json::object()},
        {"resources", Json::object()},
        {"prompts", Json::object()}}},
      {"serverInfo", {{"name", "autokernel"}, {"version", offer.version}}},
      {"instructions", offer.instructions}};
}

Json McpServer::listTools() const {
  Json list = Json::array();
  for (const McpTool &tool : offer.tools)
    list.push_back({{"name", tool.name},
                    {"description", tool.description},
                    {"inputSchema", tool.parameters},
                    {"annotations",
                     {{"readOnlyHint", tool.readOnly},
                      {"destructiveHint", false},
                      {"openWorldHint", false}}}});
  return {{"tools", list}};
}

llvm::Expected<Json> McpServer::callTool(const Json &parameters) const {
  auto name = textOf(parameters, "name");
  if (!name)
    return name.takeError();
  Json arguments = parameters.value("arguments", Json::object());
  if (!arguments.is_object())
    return refused(InvalidParameters, "the arguments are an object");
  for (const McpTool &tool : offer.tools) {
    if (tool.name != *name)
      continue;
    if (llvm::Error e = checkArguments(tool, arguments))
      return e;
    auto result = tool.call(arguments);
    if (!result)
      return Json{{"content", textContent(llvm::toString(result.takeError()))},
                  {"isError", true}};
    return Json{{"content", textContent(dumped(*result, 2))},
                {"structuredContent", *result},
                {"isError", false}};
  }
  return refused(InvalidParameters, "there is no tool '" + *name + "'");
}

llvm::Expected<Json> McpServer::listResources() const {
  auto resources = offer.resources();
  if (!resources)
    return resources.takeError();
  Json list = Json::array();
  for (const McpResource &r : *resources)
    list.push_back(
        {{"uri", r.uri}, {"name", r.name}, {"mimeType", r.mimeType}});
  return Json{{"resources", list}};
}

llvm::Expected<Json> McpServer::readResource(const Json &parameters) const {
  auto uri = textOf(parameters, "uri");
  if (!uri)
    return uri.takeError();
  auto text = offer.read(*uri);
  if (!text)
    return text.takeError();
  if (!*text)
    return refused(NoSuchResource, "there is no resource " + *uri);
  std::string type = llvm::StringRef(**text).starts_with("{")
                         ? "application/json"
                         : "text/plain";
  return Json{
      {"contents",
       Json::array({{{"uri", *uri}, {"mimeType", type}, {"text", **text}}})}};
}

Json McpServer::listPrompts() const {
  Json list = Json::array();
  for (const McpPrompt &p : offer.prompts)
    list.push_back({{"name", p.name},
                    {"description", p.description},
                    {"arguments", Json::array({{{"name", p.argument},
                                                {"required", true}}})}});
  return {{"prompts", list}};
}

llvm::Expected<Json> McpServer::getPrompt(const Json &parameters) const {
  auto name = textOf(parameters, "name");
  if (!name)
    return name.takeError();
  Json arguments = parameters.value("arguments", Json::object());
  for (const McpPrompt &p : offer.prompts) {
    if (p.name != *name)
      continue;
    auto argument = textOf(arguments, p.argument.c_str());
    if (!argument)
      return argument.takeError();
    auto text = p.text(*argument);
    if (!text)
      return refused(InvalidParameters, llvm::toString(text.takeError()));
    return Json{
        {"description", p.description},
        {"messages", Json::array({{{"role", "user"},
                                   {"content", textContent(*text)[0]}}})}};
  }
  return refused(InvalidParameters, "there is no prompt '" + *name + "'");
}

llvm::Error McpServer::serve(std::FILE *in, std::FILE *out) {
  std::string line;
  bool tooLong = false;
  auto flush = [&]() -> bool {
    std::optional<Json> reply;
    if (tooLong)
      reply = errorTo(nullptr, InvalidRequest, "a message has at most 16 MiB");
    else if (line.find_first_not_of(" \t\r") != std::string::npos)
      reply = handle(line);
    line.clear();
    tooLong = false;
    if (!reply)
      return true;
    std::string text = dumped(*reply) + "\n";
    return std::fwrite(text.data(), 1, text.size(), out) == text.size() &&
           std::fflush(out) == 0;
  };
  for (int c; (c = std::getc(in)) != EOF;) {
    if (c == '\n') {
      if (!flush())
        return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                       "the client has gone away");
    } else if (line.size() < LongestMessage) {
      line += char(c);
    } else {
      tooLong = true;
    }
  }
  return llvm::Error::success();
}

} // namespace autokernel
