#include "support/Messages.h"

#include "support/Files.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace autokernel {

std::string displayPath(const std::string &path) {
  llvm::SmallString<256> here;
  if (llvm::sys::fs::current_path(here))
    return path;
  here += "/";
  llvm::StringRef shorter(path);
  shorter.consume_front(here);
  return shorter.str();
}

std::string quoteLine(const SourcePlace &place) {
  auto text = readFile(place.file);
  if (!text) {
    llvm::consumeError(text.takeError());
    return "";
  }
  llvm::StringRef rest(*text), line;
  for (unsigned n = 0; n < place.line; ++n)
    std::tie(line, rest) = rest.split('\n');
  line = line.rtrim("\r\n");
  std::string indent;
  for (unsigned c = 1; c < place.column && c <= line.size(); ++c)
    indent += line[c - 1] == '\t' ? '\t' : ' ';
  return "    " + line.str() + "\n    " + indent + "^\n";
}

static std::string placeText(const SourcePlace &place) {
  return displayPath(place.file) + ":" + std::to_string(place.line) + ":" +
         std::to_string(place.column);
}

std::string fixText(const Refusal::Fix &fix) {
  if (fix.text.empty())
    return "remove " + std::to_string(fix.length) + " characters";
  return "replace by '" + fix.text + "'";
}

std::string refusalText(const Refusal &refusal, const std::string &id) {
  std::string out = placeText(refusal.place) + "  " +
                    (id.empty() ? "" : id + " ") + "refused [" + refusal.id +
                    "]: " + refusal.message + "\n" + quoteLine(refusal.place);
  for (const Refusal::Note &note : refusal.notes)
    out += "    note: " + placeText(note.place) + ": " + note.message + "\n";
  for (const Refusal::Fix &fix : refusal.fixes)
    out += "    fix: " + placeText(fix.place) + ": " + fixText(fix) + "\n";
  out += "    see: autokernel explain " + refusal.id + "\n";
  return out;
}

} // namespace autokernel
