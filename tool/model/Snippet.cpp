#include "model/Snippet.h"

#include "clang/AST/ASTContext.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace autokernel {

Snippet &Snippet::operator+=(const Snippet &other) {
  for (Mark mark : other.marks) {
    mark.at += text.size();
    marks.push_back(std::move(mark));
  }
  text += other.text;
  namesMacro |= other.namesMacro;
  return *this;
}

Snippet operator+(Snippet left, const Snippet &right) {
  left += right;
  return left;
}

Snippet copied(const ParsedUnit &unit, const SourceText &text,
               SourceRange range, const Replacements &replacements) {
  const SourceManager &sources = unit.context.getSourceManager();
  Snippet out;
  SourceLocation until; // tokens up to here are replaced
  bool isFirst = true;
  text.forEachToken(range, [&](const Token &token) {
    SourceLocation at = token.getLocation();
    if (until.isInvalid()) {
      out += isFirst ? "" : text.before(at);
      isFirst = false;
      out.marks.push_back(
          {out.text.size(), placeOf(sources, sources.getFileLoc(at))});
      auto it = replacements.find(at.getRawEncoding());
      if (it == replacements.end()) {
        const IdentifierInfo *name = token.getIdentifierInfo();
        out.namesMacro |= name && name->hadMacroDefinition();
        out += unit.preprocessor.getSpelling(token);
        return;
      }
      out += it->second.with;
      until = it->second.last;
    }
    if (until == at)
      until = SourceLocation();
  });
  return out;
}

RewrittenSource::RewrittenSource(llvm::StringRef source,
                                 std::vector<Edit> edits)
    : original(source) {
  llvm::stable_sort(
      edits, [](const Edit &a, const Edit &b) { return a.begin < b.begin; });
  size_t at = 0;
  auto keep = [&](size_t end) {
    if (end <= at)
      return;
    kept.push_back({whole.text.size(), at, end - at});
    whole += source.slice(at, end).str();
    at = end;
  };
  for (const Edit &e : edits) {
    keep(e.begin);
    whole += e.with;
    at = std::max<size_t>(at, e.end);
  }
  keep(source.size());
}

static size_t offsetOf(llvm::StringRef text, const SourcePlace &place) {
  size_t at = 0;
  for (unsigned line = 1; line < place.line; ++line) {
    at = text.find('\n', at);
    if (at == llvm::StringRef::npos)
      return text.size();
    ++at;
  }
  return std::min(text.size(), at + place.column - 1);
}

void RewrittenSource::restore(SourcePlace &place) const {
  if (!place.line || !place.column)
    return;
  size_t at = offsetOf(whole.text, place);
  auto part = llvm::find_if(
      kept, [&](const Kept &k) { return k.at <= at && at < k.at + k.length; });
  if (part != kept.end()) {
    llvm::StringRef before =
        llvm::StringRef(original).take_front(part->original + at - part->at);
    place.line = before.count('\n') + 1;
    place.column = before.size() - (before.rfind('\n') + 1) + 1;
    return;
  }
  const Snippet::Mark *last = nullptr;
  for (const Snippet::Mark &mark : whole.marks)
    if (mark.at <= at)
      last = &mark;
  if (last)
    place = last->place;
}

} // namespace autokernel
