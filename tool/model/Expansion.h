// One call of a function whose body can be seen, written out. Internal.
//
// The body becomes an expression or a block of statements at the call, as text
// that is parsed again: names that mean something else there get others, and
// parameters become what they are given. Surface: Expansion, FreshNames.
#pragma once

#include "model/Snippet.h"

#include "clang/AST/ExprCXX.h"

#include <optional>
#include <set>

namespace autokernel {

/// Identifiers of a function, and new ones.
class FreshNames {
public:
  FreshNames(const ParsedUnit &unit, const SourceText &text, const Site &site);
  bool isUsedInRegion(const std::string &name) const {
    return region.count(name);
  }
  std::string make(const std::string &wanted);

private:
  std::set<std::string> used, region;
};

class Expansion {
public:
  Expansion(const ParsedUnit &unit, const SourceText &text, const Site &site,
            FreshNames &names, const clang::CallExpr *call);

  const clang::FunctionDecl *callee() const { return function; }
  /// What the function returns, where its body is one return statement.
  const clang::Expr *returned() const;
  /// `(e)` for a body `{ return e; }`; nothing and `why`, else.
  std::optional<Snippet> asExpression();
  /// `{ ...; result = e; }`; `result` empty: the value isn't used.
  std::optional<Snippet> asBlock(const std::string &result);

  std::string why;

private:
  enum class Leaves { Never, Sometimes, Always, Inside };
  using Statements = std::vector<const clang::Stmt *>;

  bool fail(const std::string &reason);
  bool prepare();
  bool findObject();
  bool checkLambda(const clang::LambdaExpr *lambda);
  bool bind(bool asValues);
  bool bindOne(unsigned number, bool asValues);
  bool bindReference(const clang::ParmVarDecl *p, const clang::Expr *given,
                     bool asValues);
  bool bindNumber(const clang::ParmVarDecl *p, clang::QualType type,
                  const clang::Expr *given, bool asValues);
  bool bindValue(const clang::ParmVarDecl *p, const clang::Expr *given,
                 bool asValues);
  bool substitute(const clang::ParmVarDecl *p, const clang::Expr *given);
  void declare(const clang::ParmVarDecl *p, clang::QualType type,
               const clang::Expr *given);
  bool isSteady(const clang::Expr *e) const;
  bool isConstant(const clang::Expr *e) const;
  Snippet given(const clang::Expr *e) const;
  bool rename();
  /// A variable of the body needs another name at the call.
  bool isTaken(const clang::VarDecl *v) const;

  static Leaves leaves(const clang::Stmt *s);
  bool statements(const Statements &list, Snippet &out);
  bool branch(const clang::IfStmt *s, Statements rest, Snippet &out);
  bool result(const clang::ReturnStmt *s, Snippet &out);
  bool braced(const Statements &list, Snippet &out);

  const ParsedUnit &unit;
  clang::ASTContext &context;
  const SourceText &text;
  const Site &site;
  FreshNames &names;
  const clang::CallExpr *call;
  const clang::FunctionDecl *function = nullptr;
  std::string object, pointer;                 // "m.", "(&m)": what `this` is
  std::set<const clang::ValueDecl *> assigned; // in the body
  std::set<std::string> inArguments;           // identifiers
  std::map<const clang::VarDecl *, Snippet> arguments; // substituted
  std::map<const clang::VarDecl *, std::string> renamed;
  Snippet declarations;
  Replacements replacements;
  std::string resultName;
};

/// Replaces names in the body of `function` that mean something else at a call
/// in `site`; answers why that can't be done, or nothing.
struct BodyNames {
  const ParsedUnit &unit;
  const Site &site;
  const clang::CallExpr *call;
  const clang::FunctionDecl *function;
  std::string object, pointer;
  const std::map<const clang::VarDecl *, Snippet> &arguments;
  std::map<const clang::VarDecl *, std::string> &renamed;
  /// The name of a variable of the body.
  std::function<std::string(const clang::VarDecl *)> nameOf;
  Replacements &out;
};
std::string replaceNames(const BodyNames &names);

} // namespace autokernel
