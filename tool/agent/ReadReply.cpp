#include "agent/ReadReply.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

using llvm::StringRef;

namespace autokernel::agent {

namespace {

constexpr size_t LongestIdea = 300, LongestComment = 2000;

struct Blocks {
  std::string chosen; // last one with the launcher
  std::string outside;
  bool any = false, open = false;
};

/// "```cuda", "~~~"; the fence itself, or nothing.
StringRef fenceOf(StringRef line) {
  StringRef rest = line.ltrim(' ');
  if (line.size() - rest.size() > 3 || rest.empty() ||
      (rest[0] != '`' && rest[0] != '~'))
    return {};
  size_t length = rest.find_first_not_of(rest[0]);
  StringRef fence = rest.take_front(length);
  return fence.size() >= 3 ? fence : StringRef();
}

Blocks findBlocks(StringRef text, StringRef launcher) {
  Blocks out;
  std::string block;
  StringRef opened;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    line = line.rtrim('\r');
    StringRef fence = fenceOf(line);
    if (opened.empty() && !fence.empty()) {
      opened = fence;
      block.clear();
      out.any = true;
    } else if (!opened.empty() && !fence.empty() && fence[0] == opened[0] &&
               fence.size() >= opened.size() && line.trim() == fence) {
      opened = {};
      if (StringRef(block).contains(launcher))
        out.chosen = block;
    } else if (!opened.empty()) {
      block += line.str() + "\n";
    } else {
      out.outside += line.str() + "\n";
    }
  }
  out.open = !opened.empty();
  return out;
}

/// Of the line comments, or the block comment, that the file begins with.
std::string leadingComment(StringRef source) {
  std::string out;
  source = source.ltrim();
  if (source.consume_front("/*")) {
    out = source.take_front(source.find("*/")).trim().str();
  } else {
    while (source.starts_with("//")) {
      auto [line, rest] = source.split('\n');
      out += (out.empty() ? "" : " ") + line.ltrim('/').trim().str();
      source = rest;
    }
  }
  return out.substr(0, LongestComment);
}

std::string oneLine(StringRef text) {
  std::string out;
  for (char c : text.take_front(LongestIdea))
    out += c == '\n' || c == '\r' || c == '|' ? ' ' : c;
  return StringRef(out).trim().str();
}

std::string ideaOf(StringRef outside) {
  while (!outside.empty()) {
    auto [line, rest] = outside.split('\n');
    StringRef text = line.trim().ltrim("*# ");
    if (text.consume_front_insensitive("idea:"))
      return oneLine(text.ltrim("* "));
    outside = rest;
  }
  return "";
}

} // namespace

Written readReply(const std::string &text, const std::string &launcher) {
  Written out;
  Blocks blocks = findBlocks(text, launcher);
  out.idea = ideaOf(blocks.outside);
  if (!blocks.chosen.empty()) {
    out.source = blocks.chosen;
    out.comment = leadingComment(out.source);
    if (out.comment.empty())
      out.problem = "the file doesn't begin with a comment that explains the "
                    "kernel";
    if (out.idea.empty())
      out.idea = oneLine(StringRef(out.comment).split(". ").first);
    return out;
  }
  if (blocks.open)
    out.problem = "the reply ended before its code block did; write a shorter "
                  "kernel";
  else if (blocks.any)
    out.problem = "no code block of the reply defines " + launcher;
  else if (StringRef(text).trim().empty())
    out.problem = "the reply is empty";
  else
    out.problem = "the reply has no code block";
  return out;
}

} // namespace autokernel::agent
