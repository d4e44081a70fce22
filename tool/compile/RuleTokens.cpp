// What must be judged before the preprocessor takes it away: a region that one
// compiler skips and another compiles would escape the AST.

#include "compile/RuleReport.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Regex.h"

using namespace llvm;
using clang::Token;
namespace tok = clang::tok;

namespace autokernel {

static clang::LangOptions languageOptions() {
  clang::LangOptions Options;
  Options.CPlusPlus = Options.CPlusPlus11 = Options.CPlusPlus14 =
      Options.CPlusPlus17 = Options.LineComment = Options.Digraphs =
          Options.CUDA = Options.Bool = true;
  return Options;
}

namespace {
class TokenCheck {
public:
  TokenCheck(StringRef Text, const RuleRequest &Request, RuleReport &Report)
      : Request(Request), Report(Report), Options(languageOptions()),
        Source(Request.FileName, Text), SM(Source.get()), Keywords(Options) {}
  void run();

private:
  using Tokens = ArrayRef<Token>;
  void checkCharacters(StringRef Text);
  void checkName(const Token &T);
  void directive(Tokens Line);
  void include(Tokens Rest);
  void define(Tokens Rest);
  void condition(const Token &Keyword, Tokens Rest);
  void pragma(const Token &At, StringRef Text);
  void pragmaOperator(Tokens All, size_t Index);

  bool isIdentifier(const Token &T) const { return T.is(tok::raw_identifier); }
  std::string spelling(const Token &T) const {
    return clang::Lexer::getSpelling(T, SM, Options);
  }
  StringRef textOf(Tokens Range) const;
  bool isLiteralMacro(StringRef Name) const;
  void report(RuleId Id, const Token &At, const Twine &Message) {
    Report.add(Id, SM.getSpellingLineNumber(At.getLocation()),
               SM.getSpellingColumnNumber(At.getLocation()), Message.str());
  }

  const RuleRequest &Request;
  RuleReport &Report;
  clang::LangOptions Options;
  clang::SourceManagerForFile Source;
  clang::SourceManager &SM;
  clang::IdentifierTable Keywords;
  unsigned Depth = 0; // of conditions
  /// Unconditionally defined; true: its body is made of literals.
  StringMap<bool> Macros;
  std::vector<std::pair<Token, std::string>> Defined;
};
} // namespace

/// Also the macros that the emulator's headers bring.
static bool isReserved(StringRef Name) {
  return Name.starts_with("__") || Name.starts_with("AK_") ||
         (Name.size() > 1 && Name[0] == '_' && isUpper(Name[1]));
}

/// Documented CUDA names and the few compiler ones that nvcc takes as well.
static bool isKnownReservedName(StringRef Name) {
  static const char *const Patterns[] = {
      "__(global|device|host|shared|constant|managed|grid_constant)__",
      "__(restrict|inline|noinline|forceinline|volatile|asm|attribute)(__)?",
      "__(launch_bounds|align|cluster_dims|maxnreg|CUDA_ARCH)__",
      "__(half|nv_bfloat16)[a-z0-9_]*",
      "__syncthreads(_count|_and|_or)?|__syncwarp|__activemask",
      "__shfl(_up|_down|_xor)?_sync|__(ballot|any|all|uni)_sync",
      "__match_(any|all)_sync|__reduce_[a-z]+_sync",
      "__threadfence(_block|_system)?|__ld(g|cg|ca|cs|lu|cv)|__st(wb|cg|cs|wt)",
      "__(fma|fmaf|add|sub|mul|div|rcp|sqrt|rsqrt|fsqrt|frsqrt|frcp|fadd|fsub|"
      "fmul|fdiv|dadd|dsub|dmul|ddiv|drcp|dsqrt)(_ieee)?_r[nzud]",
      "__(sin|cos|tan|exp|exp10|log|log2|log10|pow|sincos|saturate|fdivide)f",
      "__(float|double|int|uint|short|ushort|ll|ull|half|bfloat16)2[a-z0-9_]+",
      "__(float|double|int|uint|short|ushort|longlong|half|bfloat16|bfloat162|"
      "bfloat1622|halves|halves2)[a-z0-9_]*_as_[a-z0-9]+",
      "__(floats|halves|low|high|lows|highs|lowhigh|bfloat16|bfloat162|"
      "bfloat1622|half22|float22|float|hiloint)2?[a-z0-9_]*",
      "__h[a-z0-9_]+", // half and bfloat16 arithmetic
      "__(popc|clz|brev|ffs)(ll)?|__byte_perm|__u?(mul24|mulhi|mul64hi|hadd|"
      "rhadd|sad)|__dp[24]a(_lo|_hi)?|__funnelshift_[a-z]+|__fns|__v[a-z0-9]+",
      "__cvta_generic_to_(shared|global|local|constant)|__assume|"
      "__is(Global|Shared|Constant|Local)|__nanosleep|__trap|__brkpt|__fma_r["
      "nzud]",
      "__builtin_[a-z0-9_]+|__assert_fail|__assertfail|__prof_trigger", // AST
      "__COUNTER__|__LINE__|__FILE__|__VA_ARGS__|__VA_OPT__" // macro rule
  };
  static const Regex Known(
      "^(" + join(std::begin(Patterns), std::end(Patterns), "|") + ")$");
  return !Name.starts_with("__has") && Known.match(Name);
}

/// Their values differ between the toolkits that a candidate is tried with.
static bool tellsCompilersApart(StringRef Name) {
  static const StringSet<> Names = {
      "CUDART_VERSION", "CUDA_VERSION",  "linux",        "unix",
      "__has_include",  "__has_builtin", "__has_feature"};
  return Names.contains(Name);
}

void TokenCheck::checkName(const Token &T) {
  std::string Name = spelling(T);
  if (tellsCompilersApart(Name))
    return report(RuleId::Macro, T, Name + " tells compilers apart");
  if (StringRef(Name).starts_with("autokernel_rule") ||
      (isReserved(Name) && !isKnownReservedName(Name)))
    report(RuleId::ReservedName, T, Name + " is no documented CUDA name");
}

StringRef TokenCheck::textOf(Tokens Range) const {
  if (Range.empty())
    return "";
  const char *Begin = SM.getCharacterData(Range.front().getLocation());
  const char *End = SM.getCharacterData(Range.back().getLocation()) +
                    Range.back().getLength();
  return StringRef(Begin, End - Begin);
}

void TokenCheck::include(Tokens Rest) {
  static const Regex Form("^[<\"]([A-Za-z0-9_./]+)[>\"]$");
  static const StringSet<> Allowed = {"cuda_runtime.h",
                                      "cuda_runtime_api.h",
                                      "cuda_fp16.h",
                                      "cuda_bf16.h",
                                      "cooperative_groups.h",
                                      "cooperative_groups/reduce.h",
                                      "cooperative_groups/scan.h",
                                      "vector_types.h",
                                      "vector_functions.h",
                                      "device_launch_parameters.h",
                                      "math_constants.h",
                                      "math.h",
                                      "cmath",
                                      "stdint.h",
                                      "cstdint",
                                      "stddef.h",
                                      "cstddef",
                                      "float.h",
                                      "cfloat",
                                      "limits.h",
                                      "climits",
                                      "limits",
                                      "type_traits",
                                      "algorithm",
                                      "array",
                                      "utility"};
  SmallVector<StringRef, 2> M;
  StringRef Text = textOf(Rest);
  const Token &At = Rest.empty() ? Token() : Rest.front();
  if (Rest.empty() || !Form.match(Text, &M) || !Allowed.contains(M[1]))
    return report(RuleId::Include, At, Text + " is not on the list of headers");
  // Headers must mean the same in every compiler.
  static const Regex Own("^[A-Z][A-Z0-9_]*$");
  for (auto &[DefinedAt, Name] : Defined)
    if (!Own.match(Name))
      report(RuleId::Macro, DefinedAt,
             Name + " is defined before an include: write it in capitals");
}

void TokenCheck::define(Tokens Rest) {
  if (Rest.empty() || !isIdentifier(Rest[0]))
    return;
  std::string Name = spelling(Rest[0]);
  StringRef N = Name;
  bool Keyword = Keywords.get(Name).getTokenID() != tok::identifier;
  if (isReserved(N) || Keyword || N.starts_with_insensitive("cuda") ||
      N.starts_with("NV_") || N.starts_with("M_"))
    report(RuleId::Macro, Rest[0], Name + " is not a name of the candidate's");
  // The names that it makes are seen by no check of names.
  for (const Token &T : Rest)
    if (T.is(tok::hashhash))
      report(RuleId::Macro, T, "## makes names that can't be checked");
  Defined.emplace_back(Rest[0], Name);
  if (Depth)
    return;
  bool FunctionLike =
      Rest.size() > 1 && Rest[1].is(tok::l_paren) && !Rest[1].hasLeadingSpace();
  Macros[Name] =
      !FunctionLike && all_of(Rest.drop_front(), [&](const Token &T) {
        return !isIdentifier(T) || isLiteralMacro(spelling(T));
      });
}

bool TokenCheck::isLiteralMacro(StringRef Name) const {
  return Name == "__CUDA_ARCH__" || Macros.lookup(Name);
}

void TokenCheck::condition(const Token &Keyword, Tokens Rest) {
  bool NamesOnly = StringRef(spelling(Keyword)).contains("def");
  bool AfterDefined = NamesOnly;
  for (const Token &T : Rest) {
    if (T.is(tok::l_paren))
      continue;
    if (isIdentifier(T)) {
      std::string Name = spelling(T);
      if (Name == "defined") {
        AfterDefined = true;
        continue;
      }
      bool Known = AfterDefined
                       ? Name == "__CUDA_ARCH__" || Macros.contains(Name)
                       : isLiteralMacro(Name);
      if (!Known)
        report(RuleId::Conditional, T,
               Name + " may differ between compilers: it isn't defined above "
                      "as a literal");
    }
    AfterDefined = false;
  }
}

void TokenCheck::pragma(const Token &At, StringRef Text) {
  static const Regex Allowed("^(once|(no)?unroll([ \t(].*)?)$");
  if (!Allowed.match(Text.trim()))
    report(RuleId::Pragma, At, "#pragma " + Text.trim() + " is not allowed");
}

/// _Pragma("unroll"), also inside a macro.
void TokenCheck::pragmaOperator(Tokens All, size_t Index) {
  StringRef Text;
  if (Index + 2 < All.size() && All[Index + 2].is(tok::string_literal))
    Text = textOf(All.slice(Index + 2, 1));
  if (!Text.consume_front("\"") || !Text.consume_back("\""))
    return report(RuleId::Pragma, All[Index], "_Pragma of something unclear");
  pragma(All[Index], Text);
}

void TokenCheck::directive(Tokens Line) {
  if (Line.size() < 2)
    return;
  const Token &Keyword = Line[1];
  std::string Name = isIdentifier(Keyword) ? spelling(Keyword) : "";
  Tokens Rest = Line.drop_front(2);
  if (Name == "include")
    return include(Rest.empty() ? Line.slice(1, 1) : Rest);
  if (Name == "define")
    return define(Rest);
  if (Name == "pragma")
    return pragma(Keyword, textOf(Rest));
  if (Name == "if" || Name == "ifdef" || Name == "ifndef") {
    ++Depth;
    return condition(Keyword, Rest);
  }
  if (Name == "elif" || Name == "elifdef" || Name == "elifndef")
    return condition(Keyword, Rest);
  if (Name == "endif") {
    Depth -= Depth > 0;
    return;
  }
  if (Name == "undef") {
    if (!Rest.empty())
      Macros.erase(spelling(Rest[0]));
    return;
  }
  if (Name != "else" && Name != "error")
    report(RuleId::Directive, Keyword, "#" + Name + " is not allowed");
}

void TokenCheck::checkCharacters(StringRef Text) {
  static const StringRef Trigraphs = "=/'()!<>-";
  unsigned Line = 1;
  for (size_t I = 0; I < Text.size(); ++I) {
    StringRef Rest = Text.drop_front(I);
    Line += Text[I] == '\n';
    bool Trigraph = Rest.starts_with("\?\?") && Rest.size() > 2 &&
                    Trigraphs.contains(Rest[2]);
    // U+202A..U+202E, U+2066..U+2069
    bool Bidi =
        Rest.size() > 2 && Rest[0] == '\xe2' &&
        ((Rest[1] == '\x80' && Rest[2] >= '\xaa' && Rest[2] <= '\xae') ||
         (Rest[1] == '\x81' && Rest[2] >= '\xa6' && Rest[2] <= '\xa9'));
    if (Trigraph || Bidi || Text[I] == '\0')
      Report.add(RuleId::Text, Line, 0,
                 Trigraph ? "a trigraph"
                 : Bidi   ? "a character that reorders text"
                          : "a NUL");
  }
}

void TokenCheck::run() {
  StringRef Text = SM.getBufferData(SM.getMainFileID());
  checkCharacters(Text);
  clang::Lexer Lexer(SM.getMainFileID(), SM.getBufferOrFake(SM.getMainFileID()),
                     SM, Options);
  std::vector<Token> All;
  Token T;
  do {
    Lexer.LexFromRawLexer(T);
    All.push_back(T);
  } while (T.isNot(tok::eof));
  for (size_t I = 0; I + 1 < All.size(); ++I) {
    if (isIdentifier(All[I]) && spelling(All[I]) == "_Pragma")
      pragmaOperator(All, I);
    else if (isIdentifier(All[I]))
      checkName(All[I]);
    if (All[I].isNot(tok::hash) || !All[I].isAtStartOfLine())
      continue;
    size_t End = I + 1;
    while (All[End].isNot(tok::eof) && !All[End].isAtStartOfLine())
      ++End;
    directive(Tokens(All).slice(I, End - I));
  }
}

void checkTokens(StringRef Candidate, const RuleRequest &Request,
                 RuleReport &Report) {
  TokenCheck(Candidate, Request, Report).run();
}

} // namespace autokernel
