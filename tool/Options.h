// The command line as a value. Surface: Options, parseOptions(), allCommands(), allOptions().
#pragma once

#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace autokernel {

enum class Format { Text, Json, Sarif, Github, Markdown, Html };

struct Options {
  std::string command; // scan, generate, ...
  std::vector<std::string> files;
  std::vector<std::string> flags; // after `--`, in place of a database
  std::string buildDir, kernelDir;
  Format format = Format::Text;
  std::string generator = "template", model, verify = "emulator";
  std::string onMissing = "generate";
  std::vector<std::string> architectures = {"80", "90"};
  bool frozen = false, quiet = false;
  bool withoutNvcc = false; // judge on the emulator alone
  std::string candidate, region;
  bool mutate = false;     // verify: mutants instead of the kernels
  unsigned mutants = 0;    // of each kernel; 0: all
  unsigned maxCases = 0;   // for a quick look; 0: the whole plan
  std::string knownLoop;   // folder that keeps what the loop computes
  uint64_t seed = 0;       // 0: the default
  double maxSeconds = 120; // for each process of a verification
  std::string outputSource, outputHeader, outputCuda, depfile, stamp;
  std::string output; // bundle, report
  std::string diff;   // report: revision to compare with
  // Of the generators that ask someone:
  std::string agentCommand, replay, prompts, baseUrl, keyVariable;
  unsigned attempts = 5;
  double maxTime = 0, replyTimeout = 600; // seconds
  uint64_t maxTokens = 0;
  bool showPrompt = false;
};

struct CommandInfo {
  const char *name, *summary, *example;
};
const std::vector<CommandInfo> &allCommands();

struct OptionInfo {
  std::string name; // without dashes
  std::string value; // what stands after it, such as "dir"; empty: a switch
  std::string help;
};
/// What every command takes, by name.
std::vector<OptionInfo> allOptions();

llvm::Expected<Options> parseOptions(int argc, const char *const *argv);
std::string usageText();
std::string commandHelp(const std::string &command);

} // namespace autokernel
