#include "model/SourceText.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace autokernel {

SourceText::SourceText(const ParsedUnit &unit)
    : all(unit.tokens), sources(unit.context.getSourceManager()),
      preprocessor(unit.preprocessor) {
  for (size_t i = 0; i < all.size(); ++i)
    index[all[i].getLocation().getRawEncoding()] = i;
}

std::pair<size_t, size_t> SourceText::find(SourceRange range) const {
  auto first = index.find(range.getBegin().getRawEncoding());
  auto last = index.find(range.getEnd().getRawEncoding());
  if (first == index.end() || last == index.end() ||
      first->second > last->second)
    return {1, 0};
  return {first->second, last->second};
}

/// White space and comments between neighbouring tokens.
std::string SourceText::gap(size_t left, size_t right) const {
  SourceLocation l = all[left].getLocation(), r = all[right].getLocation();
  SourceLocation le = sources.getExpansionRange(l).getEnd();
  SourceLocation rb = sources.getExpansionLoc(r);
  if (l.isMacroID() && r.isMacroID() &&
      sources.getExpansionLoc(l) == sources.getExpansionLoc(r))
    return all[right].hasLeadingSpace() ? " " : "";
  unsigned begin =
      sources.getFileOffset(le) +
      Lexer::MeasureTokenLength(le, sources, preprocessor.getLangOpts());
  unsigned end = sources.getFileOffset(rb);
  FileID file = sources.getFileID(rb);
  if (sources.getFileID(le) != file || begin > end)
    return " ";
  llvm::StringRef text = sources.getBufferData(file).slice(begin, end);
  // Directives between tokens (#if ... #endif) are dealt with already.
  if (text.contains('#'))
    return "\n";
  std::string clean;
  for (char c : text)
    if (c != '\r')
      clean += c;
  return clean;
}

std::string dedent(const std::string &text, unsigned by) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] != '\n')
      continue;
    unsigned n = 0;
    while (n < by && i + 1 < text.size() &&
           (text[i + 1] == ' ' || text[i + 1] == '\t')) {
      ++i;
      ++n;
    }
  }
  return out;
}

static unsigned indentOf(const SourceManager &sources, SourceLocation at) {
  std::pair<FileID, unsigned> place =
      sources.getDecomposedLoc(sources.getExpansionLoc(at));
  llvm::StringRef text = sources.getBufferData(place.first);
  size_t line = text.substr(0, place.second).rfind('\n');
  line = line == llvm::StringRef::npos ? 0 : line + 1;
  size_t n = line;
  while (n < text.size() && (text[n] == ' ' || text[n] == '\t'))
    ++n;
  return n - line;
}

std::string SourceText::text(SourceRange range, const Edits &edits) const {
  return text(range, edits, nullptr);
}

std::string SourceText::textOf(const Splice &splice, const Edits &edits) const {
  std::string out;
  for (const Piece &piece : splice.pieces) {
    out += piece.text;
    if (piece.variable) {
      auto name = edits.names.find(piece.variable);
      out += name != edits.names.end() ? name->second
                                       : piece.variable->getNameAsString();
    }
    if (piece.range.isValid())
      out += text(piece.range, edits, piece.frame);
  }
  return out;
}

std::string SourceText::text(SourceRange range, const Edits &edits,
                             const Frame *frame) const {
  auto [first, last] = find(range);
  const auto &splices = (frame ? *frame : edits.splices).splices;
  std::string out;
  for (size_t i = first; i <= last; ++i) {
    unsigned key = all[i].getLocation().getRawEncoding();
    if (i != first)
      out += gap(i - 1, i);
    if (auto it = edits.before.find(key); it != edits.before.end())
      out += it->second;
    auto splice = splices.find(key);
    auto replaced = edits.replace.find(key);
    if (splice != splices.end()) {
      out += textOf(splice->second, edits);
      i = std::max(i, find(splice->second.last).second);
      key = all[i].getLocation().getRawEncoding();
    } else {
      out += replaced != edits.replace.end() ? replaced->second
                                             : preprocessor.getSpelling(all[i]);
    }
    if (auto it = edits.after.find(key); it != edits.after.end())
      out += it->second;
  }
  return dedent(out, indentOf(sources, range.getBegin()));
}

std::string SourceText::tokens(SourceRange range) const {
  auto [first, last] = find(range);
  std::string out;
  for (size_t i = first; i <= last; ++i)
    out += preprocessor.getSpelling(all[i]) + " ";
  return out;
}

void SourceText::replaceRange(Edits &edits, SourceRange range,
                              const std::string &with) const {
  auto [first, last] = find(range);
  for (size_t i = first; i <= last; ++i)
    edits.replaceToken(all[i].getLocation(), i == first ? with : "");
}

void SourceText::forEachToken(
    SourceRange range, const std::function<void(const Token &)> &visit) const {
  auto [first, last] = find(range);
  for (size_t i = first; i <= last; ++i)
    visit(all[i]);
}

std::string SourceText::before(SourceLocation token) const {
  auto it = index.find(token.getRawEncoding());
  return it == index.end() || !it->second ? "" : gap(it->second - 1, it->second);
}

SourceRange SourceText::withSemicolon(SourceRange range) const {
  auto [first, last] = find(range);
  if (first <= last && last + 1 < all.size() && all[last + 1].is(tok::semi))
    return {range.getBegin(), all[last + 1].getLocation()};
  return range;
}

} // namespace autokernel
