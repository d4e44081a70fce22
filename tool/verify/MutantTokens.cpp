#include "verify/MutantTokens.h"

#include <algorithm>
#include <cctype>

namespace autokernel::mutants {

namespace {

// Longer ones first.
constexpr std::string_view Signs[] = {
    "<<<", ">>>", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==",
    "!=",  "&&",  "||",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", "::"};

bool isWordStart(char c) { return std::isalpha((unsigned char)c) || c == '_'; }
bool isWordPart(char c) { return std::isalnum((unsigned char)c) || c == '_'; }

class Lexer {
public:
  explicit Lexer(std::string_view text) : text(text) {}

  std::vector<Token> run() {
    while (at < text.size())
      step();
    return std::move(tokens);
  }

private:
  char now(size_t ahead = 0) const {
    return at + ahead < text.size() ? text[at + ahead] : '\0';
  }

  void step() {
    if (std::isspace((unsigned char)now()))
      skip(1);
    else if (now() == '#' && atLineStart)
      skipDirective();
    else if (now() == '/' && now(1) == '/')
      skip(std::min(text.find('\n', at), text.size()) - at);
    else if (now() == '/' && now(1) == '*')
      skip(std::min(text.find("*/", at + 2), text.size() - 2) + 2 - at);
    else if (now() == '"' || now() == '\'')
      take(TokenKind::Literal, quoted());
    else if (isWordStart(now()))
      take(TokenKind::Word, wordLength());
    else if (std::isdigit((unsigned char)now()) ||
             (now() == '.' && std::isdigit((unsigned char)now(1))))
      take(TokenKind::Number, numberLength());
    else
      take(TokenKind::Sign, signLength());
  }

  void skip(size_t n) {
    for (; n > 0 && at < text.size(); --n, ++at)
      if (text[at] == '\n') {
        ++line;
        lineStart = at + 1;
        atLineStart = true;
      }
  }

  void skipDirective() {
    while (at < text.size()) {
      size_t end = std::min(text.find('\n', at), text.size());
      bool goesOn = end > at && text[end - 1] == '\\';
      skip(end - at + 1);
      if (!goesOn)
        return;
    }
  }

  size_t quoted() const {
    size_t n = 1;
    while (at + n < text.size() && text[at + n] != now())
      n += text[at + n] == '\\' ? 2 : 1;
    return std::min(n + 1, text.size() - at);
  }

  size_t wordLength() const {
    size_t n = 1;
    while (isWordPart(now(n)))
      ++n;
    return n;
  }

  size_t numberLength() const {
    bool hex = now() == '0' && (now(1) == 'x' || now(1) == 'X');
    size_t n = 1;
    while (isWordPart(now(n)) || now(n) == '.' ||
           (!hex && (now(n) == '+' || now(n) == '-') &&
            std::tolower((unsigned char)now(n - 1)) == 'e'))
      ++n;
    return n;
  }

  size_t signLength() const {
    for (std::string_view s : Signs)
      if (text.substr(at, s.size()) == s)
        return s.size();
    return 1;
  }

  void take(TokenKind kind, size_t n) {
    tokens.push_back(
        {kind, text.substr(at, n), at, line, unsigned(at - lineStart + 1)});
    atLineStart = false;
    skip(n);
    atLineStart = false;
  }

  std::string_view text;
  size_t at = 0, lineStart = 0;
  unsigned line = 1;
  bool atLineStart = true;
  std::vector<Token> tokens;
};

/// The launcher and the workspace function are all that is extern "C".
void markHost(std::vector<Token> &tokens) {
  int depth = 0;
  bool host = false, entered = false;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!host && tokens[i].is("extern") && i + 1 < tokens.size() &&
        tokens[i + 1].is("\"C\"")) {
      host = true;
      entered = false;
      depth = 0;
    }
    tokens[i].onHost = host;
    if (!host)
      continue;
    depth += tokens[i].is("{") - tokens[i].is("}");
    entered |= tokens[i].is("{");
    if (entered && depth == 0)
      host = false;
  }
}

void markLaunches(std::vector<Token> &tokens) {
  bool inside = false;
  for (Token &t : tokens) {
    inside |= t.is("<<<");
    t.inLaunch = inside;
    inside &= !t.is(">>>");
  }
}

} // namespace

std::vector<Token> tokensOf(std::string_view source) {
  std::vector<Token> tokens = Lexer(source).run();
  markHost(tokens);
  markLaunches(tokens);
  return tokens;
}

} // namespace autokernel::mutants
