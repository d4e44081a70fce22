// Generated source text that knows where its tokens come from.
//
// A region with calls written out is parsed a second time; what is said about
// it then has to name places of the source that people wrote. Surface: Snippet,
// copied(), RewrittenSource.
#pragma once

#include "model/SourceText.h"
#include "scan/Scan.h"

namespace autokernel {

struct Snippet {
  struct Mark {
    size_t at; // in `text`
    SourcePlace place;
  };
  std::string text;
  std::vector<Mark> marks;
  bool namesMacro = false; // a token would be expanded again

  Snippet() = default;
  Snippet(std::string text) : text(std::move(text)) {}
  Snippet(const char *text) : text(text) {}
  Snippet &operator+=(const Snippet &other);
};
Snippet operator+(Snippet left, const Snippet &right);

/// Written instead of the tokens up to `last`; keyed by the raw encoding of the
/// first token's location.
struct Replacement {
  clang::SourceLocation last;
  Snippet with;
};
using Replacements = std::map<unsigned, Replacement>;

/// The text of `range` with macros expanded.
Snippet copied(const ParsedUnit &unit, const SourceText &text,
               clang::SourceRange range, const Replacements &replacements = {});

/// A source file with parts of it written anew.
class RewrittenSource {
public:
  struct Edit {
    unsigned begin, end; // byte offsets
    Snippet with;
  };
  /// `edits` don't overlap; of those at one place the first comes first.
  RewrittenSource(llvm::StringRef original, std::vector<Edit> edits);

  const std::string &text() const { return whole.text; }
  /// Makes `place`, of a file that has this text, one of the original.
  void restore(SourcePlace &place) const;

private:
  struct Kept {
    size_t at, original, length;
  };
  Snippet whole; // its marks: of what was written anew
  std::vector<Kept> kept;
  std::string original;
};

} // namespace autokernel
