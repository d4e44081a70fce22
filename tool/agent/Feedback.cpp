#include "agent/Feedback.h"

#include "support/ContractJson.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

using llvm::StringRef;

namespace autokernel::agent {

static constexpr size_t LongestMessage = 1500;

/// The line and its neighbours, numbered.
static std::string linesAround(StringRef source, unsigned line) {
  llvm::SmallVector<StringRef, 64> lines;
  source.split(lines, '\n');
  if (line == 0 || line > lines.size())
    return "";
  std::string out = "\n```\n";
  unsigned first = line > 2 ? line - 2 : 1;
  for (unsigned n = first; n <= line + 2 && n <= lines.size(); ++n)
    out += std::to_string(n) + (n == line ? " > " : "   ") +
           lines[n - 1].take_front(200).str() + "\n";
  return out + "```\n";
}

std::string feedbackText(const Evidence &e, const std::string &source) {
  if (!e.failure)
    return std::string("The candidate was not verified: ") +
           verdictName(e.verdict) + ".";
  const Failure &f = *e.failure;
  std::string out = "The candidate failed at the gate \"" + f.gate +
                    "\": " + f.message.substr(0, LongestMessage) + "\n";
  if (f.place.line)
    out += "at line " + std::to_string(f.place.line) +
           " of your file:" + linesAround(source, f.place.line);
  if (!f.element.empty())
    out += f.element + " is " + f.got + ", expected " + f.expected +
           (f.bound.empty() ? "" : " (allowed difference " + f.bound + ")") +
           "\n";
  // Without the seed: what the cases are is for the tool to know.
  if (!f.replay.empty())
    out += "in " + StringRef(f.replay).split(", seed ").first.str() + "\n";
  return out;
}

std::string resultText(const Evidence &e) {
  std::string out = verdictName(e.verdict);
  if (!e.failure)
    return out;
  std::string message = e.failure->gate + ": " + e.failure->message;
  for (char &c : message)
    if (c == '\n' || c == '|')
      c = ' ';
  return out + ", " + message.substr(0, 160);
}

} // namespace autokernel::agent
