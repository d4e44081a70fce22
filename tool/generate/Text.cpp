#include "generate/Text.h"

#include "llvm/ADT/StringExtras.h"

namespace autokernel {

std::string indent(const std::string &text, unsigned by) {
  std::string out, margin(by, ' ');
  bool lineStart = true;
  for (char c : text) {
    if (lineStart && c != '\n')
      out += margin;
    out += c;
    lineStart = c == '\n';
  }
  return out;
}

static bool isWord(char c) { return llvm::isAlnum(c) || c == '_'; }

void collectIdentifiers(const std::string &text, std::set<std::string> &out) {
  for (size_t i = 0; i < text.size();) {
    if (!isWord(text[i])) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < text.size() && isWord(text[end]))
      ++end;
    if (!llvm::isDigit(text[i]))
      out.insert(text.substr(i, end - i));
    i = end;
  }
}

bool mentions(const std::string &text, const std::string &identifier) {
  std::set<std::string> names;
  collectIdentifiers(text, names);
  return names.count(identifier);
}

std::string grouped(const std::string &text) {
  for (char c : text)
    if (!isWord(c))
      return "(" + text + ")";
  return text;
}

void replaceAll(std::string &text, const std::string &from,
                const std::string &to) {
  for (size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

std::string withoutMarks(const std::string &text) {
  std::string out = text;
  const std::string begin = "/*autokernel:chosen ";
  for (size_t at = out.find(begin); at != std::string::npos;
       at = out.find(begin, at))
    out.erase(at, out.find("*/", at) + 2 - at);
  return out;
}

} // namespace autokernel
