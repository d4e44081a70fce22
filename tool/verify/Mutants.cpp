#include "verify/Mutants.h"

#include "verify/MutantTokens.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>

namespace autokernel {

using namespace mutants;

namespace {

using Names = std::map<std::string_view, std::string_view>;

const std::set<std::string_view> Types = {
    "void",     "bool",   "char",   "short",  "int",    "long",
    "unsigned", "size_t", "float",  "double", "float2", "float4",
    "const",    "auto",   "return", "else",   "case"};

class Maker {
public:
  explicit Maker(const std::string &source)
      : source(source), tokens(tokensOf(source)) {}

  std::vector<Mutant> run() {
    for (size_t i = 0; i < tokens.size(); ++i)
      at(i);
    return std::move(found);
  }

private:
  void at(size_t i) {
    condition(i);
    comparison(i);
    call(i);
    exchangedName(i);
    if (tokens[i].onHost || tokens[i].inLaunch)
      return;
    start(i);
    subscript(i);
    arithmetic(i);
    constant(i);
    coordinate(i);
    precision(i);
    mask(i);
  }

  // --- where things are ---

  bool is(size_t i, std::string_view text) const {
    return i < tokens.size() && tokens[i].is(text);
  }
  bool isOne(size_t i, std::initializer_list<std::string_view> list) const {
    return i < tokens.size() &&
           std::find(list.begin(), list.end(), tokens[i].text) != list.end();
  }
  bool isKind(size_t i, TokenKind kind) const {
    return i < tokens.size() && tokens[i].kind == kind;
  }

  /// Index of the bracket that closes the one at i.
  std::optional<size_t> closing(size_t i) const {
    int depth = 0;
    for (size_t k = i; k < tokens.size(); ++k) {
      depth += isOne(k, {"(", "[", "{"}) - isOne(k, {")", "]", "}"});
      if (depth == 0)
        return k;
    }
    return std::nullopt;
  }

  /// Before a binary operator.
  bool endsValue(size_t i) const {
    return isKind(i, TokenKind::Number) || isOne(i, {")", "]"}) ||
           (isKind(i, TokenKind::Word) && !Types.count(tokens[i].text));
  }
  bool beginsValue(size_t i) const {
    return isKind(i, TokenKind::Number) || isKind(i, TokenKind::Word) ||
           is(i, "(");
  }

  std::string text(size_t first, size_t last) const {
    return source.substr(tokens[first].offset,
                         tokens[last].end() - tokens[first].offset);
  }

  /// Replaces the tokens first to last.
  void add(const char *kind, size_t first, size_t last, std::string after) {
    const Token &t = tokens[first];
    std::string before = text(first, last);
    if (before != after)
      found.push_back({kind, t.line, t.column, t.offset, before.size(), before,
                       std::move(after)});
  }

  // --- the mistakes ---

  void condition(size_t i) {
    if (!is(i, "if") || !is(i + 1, "("))
      return;
    auto end = closing(i + 1);
    if (!end || *end == i + 2)
      return;
    bool leaves = isOne(*end + 1, {"return", "continue", "break"});
    add("condition dropped", i + 2, *end - 1, leaves ? "false" : "true");
  }

  /// Angle brackets of templates have no spaces around them.
  bool isComparison(size_t i) const {
    if (isOne(i, {"<=", ">=", "==", "!="}))
      return true;
    return isOne(i, {"<", ">"}) && i > 0 && tokens[i].offset > 0 &&
           source[tokens[i].offset - 1] == ' ' &&
           tokens[i].end() < source.size() && source[tokens[i].end()] == ' ';
  }

  void comparison(size_t i) {
    static const Names flipped = {{"<", "<="}, {"<=", "<"},  {">", ">="},
                                  {">=", ">"}, {"==", "!="}, {"!=", "=="}};
    if (isComparison(i))
      add("comparison flipped", i, i,
          std::string(flipped.find(tokens[i].text)->second));
  }

  void call(size_t i) {
    if (!isKind(i, TokenKind::Word) || !is(i + 1, "("))
      return;
    auto end = closing(i + 1);
    if (!end)
      return;
    if (isOne(i, {"__syncthreads", "__syncwarp", "__threadfence",
                  "__threadfence_block", "cudaMemsetAsync"}) &&
        is(*end + 1, ";"))
      add(tokens[i].onHost ? "clearing removed" : "barrier removed", i, *end,
          "");
    if (is(i, "sync") && i >= 2 && is(i - 1, "."))
      add("barrier removed", i - 2, *end, "");
    atomic(i, *end);
  }

  /// An update without protection.
  void atomic(size_t i, size_t end) {
    static const Names plain = {
        {"atomicAdd", " + "},       {"atomicSub", " - "},
        {"atomicAdd_block", " + "}, {"atomicMax", "max"},
        {"atomicMax_block", "max"}, {"atomicMin", "min"}};
    auto op = plain.find(tokens[i].text);
    size_t comma = i + 2;
    for (int depth = 0; comma < end && (depth > 0 || !is(comma, ",")); ++comma)
      depth += isOne(comma, {"(", "["}) - isOne(comma, {")", "]"});
    if (op == plain.end() || comma >= end || !is(end + 1, ";"))
      return;
    std::string place = "*(" + text(i + 2, comma - 1) + ")";
    std::string value = "(" + text(comma + 1, end - 1) + ")";
    std::string name(op->second);
    add("atomic made plain", i, end,
        name[0] == ' '
            ? place + " = " + place + name + value
            : place + " = " + name + "(" + place + ", " + value + ")");
  }

  void exchangedName(size_t i) {
    static const Names other = {{"max", "min"},
                                {"min", "max"},
                                {"fmaxf", "fminf"},
                                {"fminf", "fmaxf"},
                                {"fmax", "fmin"},
                                {"fmin", "fmax"},
                                {"atomicMax", "atomicMin"},
                                {"__shfl_down_sync", "__shfl_up_sync"},
                                {"__shfl_up_sync", "__shfl_down_sync"},
                                {"__reduce_max_sync", "__reduce_min_sync"}};
    auto it = other.find(tokens[i].text);
    if (it != other.end() && is(i + 1, "("))
      add("other function", i, i, std::string(it->second));
  }

  static bool isZero(std::string_view number) {
    return std::strtod(std::string(number).c_str(), nullptr) == 0;
  }

  /// What a sum, a maximum or a counter starts from.
  void start(size_t i) {
    if (!isOne(i, {"=", ":"}) || !endsValue(i - 1) || i == 0)
      return;
    size_t value = is(i + 1, "-") ? i + 2 : i + 1;
    if (!isOne(value + 1, {";", ",", ")"}))
      return;
    if (isKind(value, TokenKind::Number) && isZero(tokens[value].text))
      add("wrong start", i + 1, value, "1");
    else if (isOne(value, {"INFINITY", "INT_MIN"}))
      add("wrong start", i + 1, value, "0");
  }

  /// `float v[4]` is no access.
  bool isDeclared(size_t i) const {
    while (i > 0 && is(i - 1, "]")) {
      int depth = 0;
      do {
        --i;
        depth += is(i, "]") - is(i, "[");
      } while (i > 0 && depth > 0);
    }
    if (i < 2 || !isKind(i - 1, TokenKind::Word))
      return false;
    size_t begin = i - 1;
    while (begin > 0 && !isOne(begin - 1, {";", "{", "}", ")"}))
      --begin;
    bool typed =
        isOne(begin, {"__shared__", "extern", "constexpr", "__constant__"});
    return typed || (isKind(i - 2, TokenKind::Word) && !is(i - 2, "return") &&
                     !is(i - 2, "else"));
  }

  void subscript(size_t i) {
    if (!is(i, "[") || i == 0 || !endsValue(i - 1) || isDeclared(i))
      return;
    if (auto end = closing(i); end && *end > i + 1)
      add("index off by one", i + 1, *end - 1,
          "(" + text(i + 1, *end - 1) + ") + 1");
  }

  void arithmetic(size_t i) {
    static const Names other = {{"+", "-"},   {"-", "+"},   {"*", "+"},
                                {"/", "*"},   {"%", "/"},   {"+=", "-="},
                                {"-=", "+="}, {"*=", "+="}, {"/=", "*="}};
    auto it = other.find(tokens[i].text);
    if (it != other.end() && i > 0 && endsValue(i - 1) && beginsValue(i + 1))
      add("other operator", i, i, std::string(it->second));
  }

  /// A thousandth off: finer ones may lie within the loop's own rounding.
  void constant(size_t i) {
    std::string number(tokens[i].text);
    if (tokens[i].kind != TokenKind::Number || number.starts_with("0x") ||
        number.find_first_of(".e") == std::string::npos || isZero(number))
      return;
    char after[40];
    std::snprintf(after, sizeof after, "%.9g",
                  std::strtod(number.c_str(), nullptr) * 1.001);
    add("constant off", i, i,
        std::string(after) + (number.back() == 'f' ? "f" : ""));
  }

  void coordinate(size_t i) {
    if (!isOne(i, {"threadIdx", "blockIdx"}) || !isOne(i + 2, {"x", "y"}) ||
        source.find(std::string(tokens[i].text) + ".y") == std::string::npos)
      return;
    add("index swapped", i + 2, i + 2, is(i + 2, "x") ? "y" : "x");
  }

  void precision(size_t i) {
    if (is(i, "double") && !is(i - 1, "const"))
      add("float for double", i, i, "float");
  }

  void mask(size_t i) {
    if (isOne(i, {"0xffffffffu", "0xffffffff", "0xFFFFFFFF", "0xFFFFFFFFu"}))
      add("mask halved", i, i, "0xffffu");
  }

  const std::string &source;
  std::vector<Token> tokens;
  std::vector<Mutant> found;
};

} // namespace

std::vector<Mutant> mutantsOf(const std::string &source) {
  return Maker(source).run();
}

std::string mutated(const std::string &source, const Mutant &mutant) {
  return std::string(source).replace(mutant.offset, mutant.length,
                                     mutant.after);
}

} // namespace autokernel
