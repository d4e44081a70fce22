// The Model Context Protocol (revision 2025-06-18) over standard input and
// output: JSON-RPC, one message a line. Knows nothing of kernels: what it
// offers is given to it. Surface: McpOffer, McpServer.
#pragma once

#include "support/ContractJson.h"

#include <cstdio>
#include <functional>

namespace autokernel {

struct McpTool {
  std::string name, description;
  Json parameters; // JSON schema of an object
  bool readOnly = true;
  /// An Error is told to the model as the tool's failure.
  std::function<llvm::Expected<Json>(const Json &arguments)> call;
};

struct McpResource {
  std::string uri, name, mimeType;
};

struct McpPrompt {
  std::string name, description, argument; // one, required
  std::function<llvm::Expected<std::string>(const std::string &)> text;
};

struct McpOffer {
  std::string version, instructions;
  std::vector<McpTool> tools;
  std::vector<McpPrompt> prompts;
  std::function<llvm::Expected<std::vector<McpResource>>()> resources;
  /// Nothing for an address that isn't there.
  std::function<llvm::Expected<std::optional<std::string>>(const std::string &)>
      read;
};

class McpServer {
public:
  /// `introduced` is told the client's name.
  McpServer(McpOffer offer, std::function<void(const std::string &)> introduced)
      : offer(std::move(offer)), introduced(std::move(introduced)) {}

  /// The answer to one message; nothing for notifications and replies.
  std::optional<Json> handle(const std::string &message);
  /// Until the input ends.
  llvm::Error serve(std::FILE *in, std::FILE *out);

private:
  llvm::Expected<Json> answer(const std::string &method,
                              const Json &parameters);
  llvm::Expected<Json> initialize(const Json &parameters);
  Json listTools() const;
  llvm::Expected<Json> callTool(const Json &parameters) const;
  llvm::Expected<Json> listResources() const;
  llvm::Expected<Json> readResource(const Json &parameters) const;
  Json listPrompts() const;
  llvm::Expected<Json> getPrompt(const Json &parameters) const;

  McpOffer offer;
  std::function<void(const std::string &)> introduced;
  bool initialized = false;
};

} // namespace autokernel
