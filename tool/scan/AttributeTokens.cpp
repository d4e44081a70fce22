#include "scan/AttributeTokens.h"

#include "clang/Basic/SourceManager.h"

#include <set>

using namespace clang;

namespace autokernel {

namespace {

class Checker {
public:
  Checker(ParsedUnit &unit, ScanResult &result)
      : tokens(unit.tokens), sources(unit.context.getSourceManager()),
        result(result) {
    for (SourceLocation place : unit.attributes.handled)
      handled.insert(spelling(place));
    for (const AttributeLog::Misuse &misuse : unit.attributes.misuses) {
      handled.insert(spelling(misuse.place));
      refuse(misuse.place, misuse.message);
    }
  }

  void run() {
    for (size_t i = 0; i + 1 < tokens.size(); ++i) {
      if (tokens[i].is(tok::l_square) && tokens[i + 1].is(tok::l_square))
        bracketed(i + 2);
      else if (tokens[i].isOneOf(tok::kw___attribute, tok::kw___declspec))
        vendor(i + 1);
    }
  }

private:
  unsigned spelling(SourceLocation place) const {
    return sources.getSpellingLoc(place).getRawEncoding();
  }

  Refusal &refuse(SourceLocation place, std::string message) {
    result.misuses.push_back(
        {"attribute-misuse", placeOf(sources, place), std::move(message), {}});
    return result.misuses.back();
  }

  /// Replaces what is written from `first` up to `end`, in one file.
  void addFix(Refusal &refusal, SourceLocation first, SourceLocation end,
              llvm::StringRef text) {
    if (first.isMacroID() || end.isMacroID() ||
        !sources.isWrittenInSameFile(first, end))
      return;
    unsigned length = sources.getFileOffset(end) - sources.getFileOffset(first);
    refusal.fixes.push_back({placeOf(sources, first), length, text.str()});
  }

  /// The names in the list `[[...]]` whose first token is `i`.
  void bracketed(size_t i) {
    unsigned depth = 0; // of brackets inside arguments
    for (bool isName = true; i < tokens.size(); ++i) {
      const Token &token = tokens[i];
      if (token.isOneOf(tok::l_paren, tok::l_square, tok::l_brace))
        ++depth;
      else if (token.isOneOf(tok::r_paren, tok::r_square, tok::r_brace) &&
               depth-- == 0)
        return;
      if (isName && depth == 0 && token.getIdentifierInfo())
        name(i, tokens[i - 1].is(tok::coloncolon));
      isName = depth == 0 && token.isOneOf(tok::comma, tok::coloncolon,
                                           tok::colon, tok::kw_using);
    }
  }

  /// `__attribute__((name))`, `__declspec(name)`.
  void vendor(size_t i) {
    unsigned depth = 0;
    for (; i < tokens.size(); ++i) {
      if (tokens[i].is(tok::l_paren))
        ++depth;
      else if (tokens[i].is(tok::r_paren) && --depth == 0)
        return;
      else if (tokens[i].getIdentifierInfo() && looksOurs(nameOf(i)))
        refuse(tokens[i].getLocation(),
               "this spelling is not known; write [[" + nameOf(i).str() + "]]");
      if (depth == 0)
        return;
    }
  }

  llvm::StringRef nameOf(size_t i) const {
    return tokens[i].getIdentifierInfo()->getName().trim('_');
  }

  /// Written like a clause, or nearly.
  static bool looksOurs(llvm::StringRef name) {
    return name.contains_insensitive("autokernel") ||
           name.lower() == "auto_kernel" ||
           name.edit_distance("autokernel", true, 2) <= 2;
  }

  void name(size_t i, bool scoped) {
    SourceLocation place = tokens[i].getLocation();
    if (!looksOurs(nameOf(i)) || handled.count(spelling(place)))
      return;
    bool followed = tokens[i + 1].isOneOf(tok::coloncolon, tok::colon);
    if (scoped || followed) {
      Refusal &refusal =
          refuse(place, "this spelling is not known; write [[autokernel]] "
                        "without a scope");
      if (scoped && i >= 2 && isClauseName(nameOf(i)))
        addFix(refusal, tokens[i - 2].getLocation(), place, "");
    } else if (!isClauseName(nameOf(i))) {
      Refusal &refusal =
          refuse(place, "there is no clause '" + nameOf(i).str() +
                            "'; docs/annotations.md lists them");
      if (llvm::StringRef meant = nearestClause(nameOf(i)); !meant.empty())
        addFix(refusal, place, tokens[i].getEndLoc(), meant);
    } else
      refuse(place, "this attribute annotates nothing here; put it before a "
                    "'for' loop, a block or a function");
  }

  const std::vector<Token> &tokens;
  SourceManager &sources;
  ScanResult &result;
  std::set<unsigned> handled;
};

} // namespace

void checkAttributes(ParsedUnit &unit, ScanResult &result) {
  Checker(unit, result).run();
}

} // namespace autokernel
