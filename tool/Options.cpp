#include "Options.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace autokernel {

namespace {

using namespace llvm;

const std::vector<CommandInfo> Commands = {
    {"scan", "find annotated regions and say which can be taken",
     "autokernel scan -p build src/layers.cpp"},
    {"generate",
     "write, verify and store the kernels that are missing or stale",
     "autokernel generate -p build src/layers.cpp"},
    {"verify", "verify stored kernels again, or somebody else's candidate",
     "autokernel verify -p build --candidate mine.cu --region softmax "
     "src/layers.cpp"},
    {"check", "say whether every region has a fresh, verified kernel (for CI)",
     "autokernel check -p build src/layers.cpp"},
    {"report", "regions, kernels and evidence, for people who review them",
     "autokernel report -p build src/layers.cpp\n"
     "         autokernel report -p build --format=markdown --diff=main "
     "src/layers.cpp"},
    {"explain", "explain a refusal, or what is known about a region",
     "autokernel explain carried-dependence"},
    {"rewrite", "make the source with the dispatch in place (for builds)",
     "autokernel rewrite -p build --output-source=a.cpp --output-header=a.h "
     "--output-cuda=a.cu src/a.cpp"},
    {"bundle", "pack verification into one program for a machine with a GPU",
     "autokernel bundle -p build --output=verify-gpu src/layers.cpp\n"
     "         autokernel bundle --candidate mine.cu --region softmax "
     "--output=verify-gpu src/layers.cpp"},
    {"ingest", "take the results of a bundle back into the store",
     "autokernel ingest --kernel-dir=autokernel results.json"},
    {"mcp", "offer all this to an agent (MCP over standard input and output)",
     "autokernel mcp -p build src/layers.cpp"},
    {"doctor", "say what this machine has and what is missing",
     "autokernel doctor"},
    {"completion", "print a completion script for bash, zsh or fish",
     "source <(autokernel completion bash)"},
    {"man", "print the manual page",
     "autokernel man > autokernel.1 && man ./autokernel.1"}};

cl::OptionCategory Category("autokernel");

template <class T> using Opt = cl::opt<T>;

/// One copy of every option in every command: LLVM's library prints help for
/// the ones that are registered.
struct CommandLine {
  // Before the options: a positional one reaches only commands that exist.
  std::vector<std::unique_ptr<cl::SubCommand>> commands = makeCommands();
  cl::list<std::string> files{cl::Positional, cl::desc("<source>..."),
                              cl::cat(Category),
                              cl::sub(cl::SubCommand::getAll())};
  Opt<std::string> buildDir{"p", cl::desc("folder with compile_commands.json"),
                            cl::value_desc("dir"), cl::cat(Category),
                            cl::sub(cl::SubCommand::getAll())};
  Opt<std::string> kernelDir{
      "kernel-dir",
      cl::desc("kernel store (default: autokernel beside the "
               "source)"),
      cl::value_desc("dir"), cl::cat(Category),
      cl::sub(cl::SubCommand::getAll())};
  Opt<std::string> format{"format",
                          cl::desc("text, json, sarif or github; for report "
                                   "also markdown and html"),
                          cl::init("text"), cl::cat(Category),
                          cl::sub(cl::SubCommand::getAll())};
  Opt<std::string> generator{
      "generator",
      cl::desc("who writes kernels: template, command, replay, openai, "
               "openai-responses or anthropic"),
      cl::init("template"), cl::cat(Category),
      cl::sub(cl::SubCommand::getAll())};
  Opt<std::string> model{"model", cl::desc("model of the generator"),
                         cl::cat(Category), cl::sub(cl::SubCommand::getAll())};
  Opt<std::string> verify{"verify", cl::desc("where to verify: emulator"),
                          cl::init("emulator"), cl::cat(Category),
                          cl::sub(cl::SubCommand::getAll())};
  Opt<std::string> onMissing{
      "on-missing",
      cl::desc("region without a kernel: generate, loop or error"),
      cl::init("generate"), cl::cat(Category),
      cl::sub(cl::SubCommand::getAll())};
  cl::list<std::string> architectures{"architectures", cl::CommaSeparated,
                                      cl::desc("CUDA architectures, 80,90"),
                                      cl::cat(Category),
                                      cl::sub(cl::SubCommand::getAll())};
  Opt<bool> frozen{"frozen",
                   cl::desc("generate nothing, fail on what isn't fresh"),
                   cl::cat(Category), cl::sub(cl::SubCommand::getAll())};
  Opt<bool> withoutNvcc{
      "without-nvcc", cl::desc("judge kernels without compiling them by nvcc"),
      cl::cat(Category), cl::sub(cl::SubCommand::getAll())};
  Opt<bool> quiet{"quiet", cl::desc("say only what went wrong"),
                  cl::cat(Category), cl::sub(cl::SubCommand::getAll())};
  Opt<std::string> candidate{"candidate", cl::desc("a .cu to judge"),
                             cl::value_desc("file"), cl::cat(Category),
                             cl::sub(cl::SubCommand::getAll())};
  Opt<std::string> region{"region", cl::desc("only this region"),
                          cl::value_desc("id"), cl::cat(Category),
                          cl::sub(cl::SubCommand::getAll())};
  Opt<bool> mutate{"mutate",
                   cl::desc("verify: judge wrong variants of accepted kernels"),
                   cl::cat(Category), cl::sub(cl::SubCommand::getAll())};
  Opt<unsigned> mutants{
      "mutants", cl::desc("verify --mutate: so many of each kernel, not all"),
      cl::init(0), cl::cat(Category), cl::sub(cl::SubCommand::getAll())};
  Opt<uint64_t> seed{"seed", cl::desc("seed of the test cases"), cl::init(0),
                     cl::cat(Category), cl::sub(cl::SubCommand::getAll())};
  Opt<double> maxSeconds{
      "max-seconds",
      cl::desc("time that the kernel and the loop may each take"),
      cl::init(120), cl::cat(Category), cl::sub(cl::SubCommand::getAll())};
  Opt<std::string> outputSource{"output-source", cl::desc("rewritten source"),
                                cl::value_desc("file"), cl::cat(Category),
                                cl::sub(cl::SubCommand::getAll())};
  Opt<std::string> outputHeader{"output-header", cl::desc("its header"),
                                cl::value_desc("file"), cl::cat(Category),
                                cl::sub(cl::SubCommand::getAll())};
  Opt<std::string> outputCuda{"output-cuda", cl::desc("kernels and dispatch"),
                              cl::value_desc("file"), cl::cat(Category),
                              cl::sub(cl::SubCommand::getAll())};
  Opt<std::string> depfile{"depfile", cl::desc("dependencies for the build"),
                           cl::value_desc("file"), cl::cat(Category),
                           cl::sub(cl::SubCommand::getAll())};
  Opt<std::string> stamp{"stamp", cl::desc("file that is touched at the end"),
                         cl::value_desc("file"), cl::cat(Category),
                         cl::sub(cl::SubCommand::getAll())};
  Opt<std::string> output{"output", cl::desc("file to write"),
                          cl::value_desc("file"), cl::cat(Category),
                          cl::sub(cl::SubCommand::getAll())};

  Opt<std::string> diff{
      "diff", cl::desc("report: only what changed since this git revision"),
      cl::value_desc("revision"), cl::cat(Category),
      cl::sub(cl::SubCommand::getAll())};

  Opt<std::string> agentCommand{
      "command",
      cl::desc("program that gets a prompt and writes a reply, for "
               "--generator=command"),
      cl::value_desc("program"), cl::cat(Category),
      cl::sub(cl::SubCommand::getAll())};
  Opt<std::string> replay{
      "replay", cl::desc("transcript to replay, for --generator=replay"),
      cl::value_desc("file"), cl::cat(Category),
      cl::sub(cl::SubCommand::getAll())};
  Opt<std::string> baseUrl{
      "base-url", cl::desc("server that speaks the generator's interface"),
      cl::value_desc("url"), cl::cat(Category),
      cl::sub(cl::SubCommand::getAll())};
  Opt<std::string> keyVariable{
      "key-variable", cl::desc("environment variable that holds the key"),
      cl::value_desc("name"), cl::cat(Category),
      cl::sub(cl::SubCommand::getAll())};
  Opt<std::string> prompts{"prompts",
                           cl::desc("folder with prompt templates of your own"),
                           cl::value_desc("dir"), cl::cat(Category),
                           cl::sub(cl::SubCommand::getAll())};
  Opt<unsigned> attempts{"attempts", cl::desc("replies asked for, a region"),
                         cl::init(5), cl::cat(Category),
                         cl::sub(cl::SubCommand::getAll())};
  Opt<double> maxTime{
      "max-time", cl::desc("seconds for a region's attempts; 0: no limit"),
      cl::init(0), cl::cat(Category), cl::sub(cl::SubCommand::getAll())};
  Opt<double> replyTimeout{
      "reply-timeout", cl::desc("seconds that one reply may take"),
      cl::init(600), cl::cat(Category), cl::sub(cl::SubCommand::getAll())};
  Opt<uint64_t> maxTokens{
      "max-tokens",
      cl::desc("tokens of a region's prompts and replies; 0: no limit"),
      cl::init(0), cl::cat(Category), cl::sub(cl::SubCommand::getAll())};
  Opt<bool> showPrompt{"show-prompt",
                       cl::desc("print what would be asked, and ask nobody"),
                       cl::cat(Category), cl::sub(cl::SubCommand::getAll())};

  static std::vector<std::unique_ptr<cl::SubCommand>> makeCommands() {
    std::vector<std::unique_ptr<cl::SubCommand>> list;
    for (const CommandInfo &c : Commands)
      list.push_back(std::make_unique<cl::SubCommand>(c.name, c.summary));
    return list;
  }
};

/// Registered once, with the library's list of all options.
CommandLine &commandLine() {
  static CommandLine line;
  return line;
}

Error usage(const std::string &message) {
  return createStringError(inconvertibleErrorCode(), "%s", message.c_str());
}

Error check(const Options &o) {
  auto oneOf = [](const std::string &v,
                  std::initializer_list<const char *> list) {
    return std::any_of(list.begin(), list.end(),
                       [&](const char *s) { return v == s; });
  };
  if (!oneOf(o.generator, {"template", "command", "replay", "openai",
                           "openai-responses", "anthropic"}))
    return usage("--generator=" + o.generator +
                 " is not supported by this version; use template, command, "
                 "replay, openai, openai-responses or anthropic");
  if (o.attempts < 1 || o.attempts > 1000)
    return usage("--attempts is a number from 1 to 1000");
  if (!(o.maxTime >= 0) || !(o.replyTimeout > 0 && o.replyTimeout <= 86400))
    return usage("--max-time and --reply-timeout are times in seconds");
  if (o.verify != "emulator")
    return usage("--verify=" + o.verify +
                 " is not supported: kernels are verified on the emulator, and "
                 "on a GPU by autokernel bundle");
  if (!oneOf(o.onMissing, {"generate", "loop", "error"}))
    return usage("--on-missing is one of generate, loop, error");
  if (!(o.maxSeconds > 0 && o.maxSeconds <= 86400))
    return usage("--max-seconds is a time above 0 and at most a day");
  bool isPage = o.format == Format::Markdown || o.format == Format::Html;
  if (isPage && o.command != "report")
    return usage("--format=markdown and --format=html are for report; "
                 "autokernel " +
                 o.command + " has text, json, sarif and github");
  if (!o.diff.empty() && o.command != "report")
    return usage("--diff is for report");
  if (!o.diff.empty() && !isPage)
    return usage("--diff needs --format=markdown or --format=html");
  if (o.command == "completion" && (o.files.size() != 1 || !oneOf(o.files[0], {"bash", "zsh", "fish"})))
    return usage("autokernel completion is followed by bash, zsh or fish");
  bool needsFile = !oneOf(o.command, {"explain", "doctor", "man"});
  if (needsFile && o.files.empty())
    return usage("autokernel " + o.command +
                 " needs a source file; see "
                 "autokernel " +
                 o.command + " --help");
  return Error::success();
}

} // namespace

const std::vector<CommandInfo> &allCommands() { return Commands; }

std::vector<OptionInfo> allOptions() {
  std::vector<OptionInfo> list;
  for (const auto &[name, option] :
       cl::getRegisteredOptions(*commandLine().commands.front())) {
    bool ours = is_contained(option->Categories, &Category);
    if (ours && !option->isPositional())
      list.push_back({name.str(),
                      option->getValueExpectedFlag() == cl::ValueDisallowed ||
                              option->getValueExpectedFlag() ==
                                  cl::ValueOptional
                          ? ""
                          : option->ValueStr.empty() ? "value"
                                                     : option->ValueStr.str(),
                      option->HelpStr.str()});
  }
  llvm::sort(list, [](const OptionInfo &a, const OptionInfo &b) {
    return a.name < b.name;
  });
  return list;
}

std::string usageText() {
  std::string out = "usage: autokernel <command> [options] [<source>...] [-- "
                    "<compiler flags>...]\n\ncommands:\n";
  for (const CommandInfo &c : Commands)
    out += std::string("  ") + c.name + std::string(10 - strlen(c.name), ' ') +
           c.summary + "\n";
  return out + "\nautokernel <command> --help tells more.\n";
}

std::string commandHelp(const std::string &command) {
  for (const CommandInfo &c : Commands)
    if (command == c.name)
      return std::string(c.summary) + "\n\nExample: " + c.example;
  return "";
}

Expected<Options> parseOptions(int argc, const char *const *argv) {
  Options o;
  std::vector<const char *> own;
  int i = 0;
  for (; i < argc && StringRef(argv[i]) != "--"; ++i)
    own.push_back(argv[i]);
  for (++i; i < argc; ++i)
    o.flags.push_back(argv[i]);
  if (own.size() < 2)
    return usage(usageText());
  o.command = own[1];
  if (commandHelp(o.command).empty() && o.command != "--help" &&
      o.command != "--version")
    return usage("there is no command '" + o.command + "'\n\n" + usageText());
  CommandLine &line = commandLine();
  for (auto &c : line.commands)
    cl::HideUnrelatedOptions(Category, *c);
  std::string errors;
  raw_string_ostream stream(errors);
  if (!cl::ParseCommandLineOptions(own.size(), own.data(),
                                   commandHelp(o.command), &stream))
    return usage(StringRef(errors).trim().str());
  o.files.assign(line.files.begin(), line.files.end());
  o.buildDir = line.buildDir;
  o.kernelDir = line.kernelDir;
  auto format = StringSwitch<std::optional<Format>>(line.format.getValue())
                    .Case("text", Format::Text)
                    .Case("json", Format::Json)
                    .Case("sarif", Format::Sarif)
                    .Case("github", Format::Github)
                    .Case("markdown", Format::Markdown)
                    .Case("html", Format::Html)
                    .Default(std::nullopt);
  if (!format)
    return usage("--format is one of text, json, sarif, github, and for "
                 "report markdown, html");
  o.format = *format;
  o.generator = line.generator;
  o.model = line.model;
  o.verify = line.verify;
  o.onMissing = line.onMissing;
  if (!line.architectures.empty())
    o.architectures.assign(line.architectures.begin(),
                           line.architectures.end());
  o.frozen = line.frozen;
  o.quiet = line.quiet;
  o.withoutNvcc = line.withoutNvcc;
  o.candidate = line.candidate;
  o.region = line.region;
  o.mutate = line.mutate;
  o.mutants = line.mutants;
  o.seed = line.seed;
  o.maxSeconds = line.maxSeconds;
  o.outputSource = line.outputSource;
  o.outputHeader = line.outputHeader;
  o.outputCuda = line.outputCuda;
  o.depfile = line.depfile;
  o.stamp = line.stamp;
  o.output = line.output;
  o.diff = line.diff;
  o.agentCommand = line.agentCommand;
  o.replay = line.replay;
  o.prompts = line.prompts;
  o.baseUrl = line.baseUrl;
  o.keyVariable = line.keyVariable;
  o.attempts = line.attempts;
  o.maxTime = line.maxTime;
  o.replyTimeout = line.replyTimeout;
  o.maxTokens = line.maxTokens;
  o.showPrompt = line.showPrompt;
  if (Error e = check(o))
    return e;
  return o;
}

} // namespace autokernel
