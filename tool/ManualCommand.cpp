// `autokernel man` and `autokernel completion`: made of the same tables as --help.
#include "Commands.h"

#include "Pipeline.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace autokernel {

namespace {

/// Text that roff doesn't take for its own.
std::string roff(llvm::StringRef text) {
  std::string out;
  for (char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n'))
      out += std::string("\\&") + c;
    else
      out += c;
  }
  return out;
}

std::string dashed(const OptionInfo &o) {
  return (o.name.size() == 1 ? "-" : "--") + o.name;
}

void printManual(llvm::raw_ostream &os) {
  os << ".TH AUTOKERNEL 1 \"\" \"autokernel " << toolVersion() << "\"\n"
     << ".SH NAME\nautokernel \\- CUDA kernels for annotated loops, verified\n"
     << ".SH SYNOPSIS\n.B autokernel\n.I command\n[options] [source...] "
        "[\\-\\- compiler flags...]\n"
     << ".SH DESCRIPTION\nWrites, verifies and stores a CUDA kernel for each "
        "loop with the attribute\n.B [[autokernel]]\nin C and C++ sources. "
        "Compile flags come from the compile_commands.json of\n.BR \\-p ,\n"
        "or stand after\n.BR \\-\\- .\n"
     << ".SH COMMANDS\n";
  for (const CommandInfo &c : allCommands()) {
    os << ".TP\n.B " << c.name << "\n" << roff(c.summary) << ".\n.br\n";
    llvm::SmallVector<llvm::StringRef> examples;
    llvm::StringRef(c.example).split(examples, '\n');
    for (size_t i = 0; i < examples.size(); ++i)
      os << (i ? ".br\n" : "") << "Example: " << roff(examples[i].trim())
         << "\n";
  }
  os << ".SH OPTIONS\n";
  for (const OptionInfo &o : allOptions()) {
    os << ".TP\n.B " << roff(dashed(o));
    if (!o.value.empty())
      os << (o.name.size() == 1 ? " " : "=") << roff(o.value);
    os << "\n" << roff(o.help) << "\n";
  }
  os << ".SH EXIT STATUS\n"
        "0: all is good. 1: a region is not verified or not fresh. 2: usage "
        "or environment. 130: ended by Ctrl\\-C.\n"
        ".SH ENVIRONMENT\nCUDACXX names nvcc. OPENAI_API_KEY, OPENAI_BASE_URL, "
        "ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL are for the generators of "
        "these names.\n";
}

std::string joined(const std::vector<std::string> &words) {
  return llvm::join(words, " ");
}

std::vector<std::string> commandNames() {
  std::vector<std::string> out;
  for (const CommandInfo &c : allCommands())
    out.push_back(c.name);
  return out;
}

/// In single quotes of a shell.
std::string quoted(llvm::StringRef text) {
  std::string out = "'";
  for (char c : text)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

void printBash(llvm::raw_ostream &os) {
  std::vector<std::string> switches, valued;
  for (const OptionInfo &o : allOptions())
    (o.value.empty() || o.name.size() == 1 ? switches : valued)
        .push_back(dashed(o) +
                   (o.value.empty() || o.name.size() == 1 ? "" : "="));
  os << "# bash completion for autokernel\n"
        "_autokernel() {\n"
        "  local word=${COMP_WORDS[COMP_CWORD]} i\n"
        "  COMPREPLY=()\n"
        "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
        "    [ \"${COMP_WORDS[i]}\" != -- ] || return 0\n"
        "  done\n"
        "  if [ \"$COMP_CWORD\" = 1 ]; then\n"
        "    COMPREPLY=($(compgen -W "
     << quoted(joined(commandNames()))
     << " -- \"$word\"))\n"
        "  elif [[ $word == -* ]]; then\n"
        "    COMPREPLY=($(compgen -W "
     << quoted(joined(switches) + " " + joined(valued))
     << " -- \"$word\"))\n"
        "    [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *= ]] || compopt -o "
        "nospace\n"
        "  elif [ \"${COMP_WORDS[1]}\" = completion ]; then\n"
        "    COMPREPLY=($(compgen -W 'bash zsh fish' -- \"$word\"))\n"
        "  fi\n"
        "}\n"
        "complete -o default -F _autokernel autokernel\n";
}

/// What zsh's _arguments and _describe take for their own.
std::string zshText(llvm::StringRef text) {
  std::string out;
  for (char c : text) {
    if (c == ':' || c == '[' || c == ']' || c == '\\')
      out += '\\';
    out += c;
  }
  return out;
}

void printZsh(llvm::raw_ostream &os) {
  os << "#compdef autokernel\n"
        "_autokernel() {\n"
        "  local -a commands=(\n";
  for (const CommandInfo &c : allCommands())
    os << "    "
       << quoted(zshText(c.name) + ":" + zshText(c.summary)) << "\n";
  os << "  )\n"
        "  if (( CURRENT == 2 )); then\n"
        "    _describe command commands\n"
        "    return\n"
        "  fi\n"
        "  if [[ ${words[2]} == completion ]]; then\n"
        "    compadd bash zsh fish\n"
        "    return\n"
        "  fi\n"
        "  _arguments \\\n";
  for (const OptionInfo &o : allOptions()) {
    std::string spec = dashed(o);
    if (!o.value.empty())
      spec += o.name.size() == 1 ? "" : "=";
    spec += "[" + zshText(o.help) + "]";
    if (!o.value.empty())
      spec += ":" + zshText(o.value) +
              (o.value == "dir" ? ":_files -/" : ":_files");
    os << "    " << quoted(spec) << " \\\n";
  }
  os << "    '*:source:_files'\n"
        "}\n"
        "compdef _autokernel autokernel\n";
}

void printFish(llvm::raw_ostream &os) {
  os << "# fish completion for autokernel\n";
  std::string none = "not __fish_seen_subcommand_from " +
                     joined(commandNames());
  for (const CommandInfo &c : allCommands())
    os << "complete -c autokernel -f -n " << quoted(none) << " -a " << c.name
       << " -d " << quoted(c.summary) << "\n";
  for (const OptionInfo &o : allOptions())
    os << "complete -c autokernel " << (o.name.size() == 1 ? "-s " : "-l ")
       << o.name << (o.value.empty() ? "" : " -r") << " -d " << quoted(o.help)
       << "\n";
  os << "complete -c autokernel -f -n '__fish_seen_subcommand_from completion' "
        "-a 'bash zsh fish'\n";
}

} // namespace

llvm::Expected<int> manCommand(const Options &) {
  printManual(llvm::outs());
  return 0;
}

llvm::Expected<int> completionCommand(const Options &options) {
  if (options.files[0] == "bash")
    printBash(llvm::outs());
  else if (options.files[0] == "zsh")
    printZsh(llvm::outs());
  else
    printFish(llvm::outs());
  return 0;
}

} // namespace autokernel
