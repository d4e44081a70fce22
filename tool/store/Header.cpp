// The header comment of a stored kernel.

#include "store/Store.h"

#include "support/Files.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace autokernel {

/// Where the code begins: after the leading `//` lines and blank lines.
static llvm::StringRef codeOf(llvm::StringRef source) {
  while (!source.empty()) {
    auto [line, rest] = source.split('\n');
    llvm::StringRef text = line.trim();
    if (!text.empty() && !text.starts_with("//"))
      break;
    source = rest;
  }
  return source;
}

std::string codeDigest(const std::string &source) {
  std::string text;
  for (char c : codeOf(source))
    if (c != '\r')
      text += c;
  return digestOf(text);
}

std::string withHeader(const std::string &source, const std::string &header) {
  return header + "\n" + codeOf(source).str();
}

/// Words in lines of at most 80 columns, after a label of ten.
static std::string labelled(llvm::StringRef label, llvm::StringRef text) {
  std::string out, line = "// " + label.str();
  line.resize(13, ' ');
  llvm::SmallVector<llvm::StringRef, 32> words;
  text.split(words, ' ', -1, false);
  bool first = true;
  for (llvm::StringRef word : words) {
    if (!first && line.size() + 1 + word.size() > 80) {
      out += line + "\n";
      line = std::string("//") + std::string(11, ' ');
      first = true;
    }
    line += (first ? "" : " ") + word.str();
    first = false;
  }
  return out + line + "\n";
}

static std::string names(const Contract &c, bool written) {
  std::string out;
  for (const Param &p : c.params)
    if ((p.isArray || p.role != Role::In) &&
        (written ? p.role != Role::In : p.role != Role::Out))
      out += (out.empty() ? "" : ", ") + p.name;
  return out.empty() ? "nothing" : out;
}

static std::string evidenceLine(const Evidence &e) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << (e.device.empty() ? e.where : e.device) << ": " << e.cases
     << " cases, sizes up to " << e.largestSize << ", ";
  if (e.bitwise)
    os << "all elements equal bit for bit";
  else
    os << "worst error " << llvm::format("%.2g", e.worstOfBound)
       << " of the derived bound";
  os << (e.where == "emulator"
             ? "; no out-of-bounds, no uninitialised read, no race"
             : "; guard zones intact, repeats equal")
     << "; replay: autokernel verify --seed " << e.seed;
  return text;
}

std::string kernelHeader(const Contract &c, const std::string &origin,
                         const std::string &summary,
                         const std::vector<Evidence> &evidence) {
  std::string out = "// " + c.id + ": " +
                    llvm::sys::path::filename(c.place.file).str() +
                    ", function " + c.function + "\n//\n";
  if (!summary.empty())
    out += labelled("Mapping", summary);
  out +=
      labelled("Reads", names(c, false)) + labelled("Writes", names(c, true));
  out += labelled("Origin", origin);
  for (const Evidence &e : evidence)
    if (e.verdict == Verdict::Verified)
      out += labelled("Verified", evidenceLine(e));
  std::string assumes = "arrays that are written overlap no other array";
  for (const IndexExpr &e : c.assumptions)
    assumes += "; " + e.text;
  if (!c.guards.empty())
    assumes += "; subscripts stay inside their rows";
  return out +
         labelled("Assumes", assumes + " (checked at every call, else the "
                                       "loop runs)");
}

} // namespace autokernel
