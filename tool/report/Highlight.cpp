#include "report/Highlight.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

namespace autokernel {

namespace {

std::string escaped(llvm::StringRef text) {
  std::string out;
  llvm::raw_string_ostream os(out);
  llvm::printHTMLEscaped(text, os);
  return out;
}

std::string span(const char *kind, llvm::StringRef text) {
  return std::string("<span class=\"") + kind + "\">" + escaped(text) +
         "</span>";
}

bool isKeyword(llvm::StringRef word) {
  static const llvm::StringSet<> words = {
      "alignas", "auto",     "bool",       "break",    "case",     "char",
      "class",   "const",    "constexpr",  "continue", "default",  "do",
      "double",  "else",     "enum",       "extern",   "false",    "float",
      "for",     "goto",     "if",         "inline",   "int",      "long",
      "namespace", "nullptr", "operator",  "return",   "short",    "signed",
      "sizeof",  "static",   "struct",     "switch",   "template", "true",
      "typedef", "typename", "union",      "unsigned", "using",    "void",
      "volatile", "while",   "__global__", "__device__", "__shared__",
      "__restrict__", "__host__", "__launch_bounds__", "size_t"};
  return words.contains(word);
}

/// Bytes of the token at the start of `rest`, and its class (null: none).
std::pair<size_t, const char *> token(llvm::StringRef rest, bool lineStart) {
  auto upTo = [&](llvm::StringRef end, size_t from) {
    size_t at = rest.find(end, from);
    return at == llvm::StringRef::npos ? rest.size() : at + end.size();
  };
  if (rest.starts_with("//"))
    return {std::min(rest.find('\n'), rest.size()), "c"};
  if (rest.starts_with("/*"))
    return {upTo("*/", 2), "c"};
  if (rest[0] == '#' && lineStart)
    return {std::min(rest.find('\n'), rest.size()), "p"};
  if (rest[0] == '"' || rest[0] == '\'') {
    size_t i = 1;
    while (i < rest.size() && rest[i] != rest[0] && rest[i] != '\n')
      i += rest[i] == '\\' ? 2 : 1;
    return {std::min(i + 1, rest.size()), "s"};
  }
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  if (!isWord(rest[0]))
    return {1, nullptr};
  size_t end = rest.find_if_not(isWord);
  end = std::min(end, rest.size());
  // 1'000'000: no string begins in a number.
  while (llvm::isDigit(rest[0]) && end + 1 < rest.size() && rest[end] == '\'' &&
         isWord(rest[end + 1]))
    end = std::min(rest.find_if_not(isWord, end + 1), rest.size());
  return {end, isKeyword(rest.substr(0, end)) ? "k" : nullptr};
}

} // namespace

std::string htmlOfCode(llvm::StringRef text) {
  std::string out;
  bool lineStart = true;
  while (!text.empty()) {
    auto [length, kind] = token(text, lineStart);
    llvm::StringRef part = text.take_front(length);
    out += kind ? span(kind, part) : escaped(part);
    if (part.contains('\n'))
      lineStart = true;
    else if (!part.trim().empty())
      lineStart = false;
    text = text.drop_front(length);
  }
  return out;
}

std::string htmlOfDifference(llvm::StringRef text) {
  std::string out;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    const char *kind = line.starts_with("+")    ? "a"
                       : line.starts_with("-")  ? "r"
                       : line.starts_with("@@") ? "h"
                                                : nullptr;
    out += (kind ? span(kind, line) : escaped(line)) + "\n";
    text = rest;
  }
  return out;
}

} // namespace autokernel
