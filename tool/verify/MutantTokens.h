// Private to Mutants.cpp: the tokens of a candidate.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace autokernel::mutants {

enum class TokenKind { Word, Number, Sign, Literal };

struct Token {
  TokenKind kind;
  std::string_view text;
  size_t offset;
  unsigned line, column;
  bool onHost = false;   // in the launcher or the workspace function
  bool inLaunch = false; // between <<< and >>>

  bool is(std::string_view t) const { return text == t; }
  size_t end() const { return offset + text.size(); }
};

/// Without comments and directives.
std::vector<Token> tokensOf(std::string_view source);

} // namespace autokernel::mutants
