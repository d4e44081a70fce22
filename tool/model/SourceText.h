// Source text of AST nodes after preprocessing, with edits.
//
// Macros are expanded, comments and layout of the file are kept, and single
// tokens can be replaced or wrapped, so that a kernel reads like the loop it
// came from. Surface: Edits, SourceText.
#pragma once

#include "scan/Unit.h"

#include "llvm/ADT/DenseMap.h"

#include <map>

namespace autokernel {

struct Splice;

/// What tokens of an inlined body stand for at one of its calls.
struct Frame {
  std::map<unsigned, Splice> splices;
};

/// A part of what is written in place of some tokens.
struct Piece {
  std::string text;                         // or
  const clang::VarDecl *variable = nullptr; // its name, or
  clang::SourceRange range;                 // the text of these tokens,
  const Frame *frame = nullptr;             // as they are understood here
};

/// Written instead of the tokens up to `last`.
struct Splice {
  clang::SourceLocation last;
  std::vector<Piece> pieces;
};

/// Keyed by the raw encoding of a token's location.
struct Edits {
  std::map<unsigned, std::string> before, after, replace;
  Frame splices;
  /// Of variables that are not written by their names.
  std::map<const clang::VarDecl *, std::string> names;

  void insertBefore(clang::SourceLocation at, const std::string &text) {
    before[at.getRawEncoding()] = text + before[at.getRawEncoding()];
  }
  void insertAfter(clang::SourceLocation at, const std::string &text) {
    after[at.getRawEncoding()] += text;
  }
  void replaceToken(clang::SourceLocation at, const std::string &text) {
    replace[at.getRawEncoding()] = text;
  }
};

class SourceText {
public:
  explicit SourceText(const ParsedUnit &unit);

  /// Text from the first to the last token of `range`; lines after the first
  /// lose the first line's indentation.
  std::string text(clang::SourceRange range, const Edits &edits = {}) const;
  /// The same inside a body that is inlined; null: not inside one.
  std::string text(clang::SourceRange range, const Edits &edits,
                   const Frame *frame) const;
  /// The tokens alone, a space apart: what a fingerprint is made of.
  std::string tokens(clang::SourceRange range) const;
  /// Replaces all tokens of `range` by `with`.
  void replaceRange(Edits &edits, clang::SourceRange range,
                    const std::string &with) const;
  /// Calls `visit` for each token of `range`.
  void
  forEachToken(clang::SourceRange range,
               const std::function<void(const clang::Token &)> &visit) const;
  /// White space and comments in front of a token.
  std::string before(clang::SourceLocation token) const;
  /// End of the statement `range`, with its semicolon where one follows.
  clang::SourceRange withSemicolon(clang::SourceRange range) const;

private:
  std::pair<size_t, size_t> find(clang::SourceRange range) const;
  std::string gap(size_t left, size_t right) const;
  std::string textOf(const Splice &splice, const Edits &edits) const;

  const std::vector<clang::Token> &all;
  const clang::SourceManager &sources;
  const clang::Preprocessor &preprocessor;
  llvm::DenseMap<unsigned, unsigned> index;
};

} // namespace autokernel
