#include "model/Expansion.h"

#include "model/Effects.h"
#include "model/RegionState.h"

#include "clang/AST/ASTContext.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace autokernel {

static std::set<std::string>
identifiers(const ParsedUnit &unit, const SourceText &text, SourceRange range) {
  std::set<std::string> found;
  text.forEachToken(range, [&](const Token &token) {
    if (token.getIdentifierInfo())
      found.insert(unit.preprocessor.getSpelling(token));
  });
  return found;
}

FreshNames::FreshNames(const ParsedUnit &unit, const SourceText &text,
                       const Site &site)
    : used(identifiers(unit, text, site.function->getSourceRange())),
      region(identifiers(unit, text, site.statement->getSourceRange())) {}

std::string FreshNames::make(const std::string &wanted) {
  std::string name = wanted;
  for (unsigned n = 2; !used.insert(name).second; ++n)
    name = wanted + "_" + std::to_string(n);
  return name;
}

Expansion::Expansion(const ParsedUnit &unit, const SourceText &text,
                     const Site &site, FreshNames &names, const CallExpr *call)
    : unit(unit), context(unit.context), text(text), site(site), names(names),
      call(call) {
  if (const FunctionDecl *callee = call->getDirectCallee())
    callee->hasBody(function);
}

bool Expansion::fail(const std::string &reason) {
  if (why.empty())
    why = reason;
  return false;
}

const Expr *Expansion::returned() const {
  const auto *block = dyn_cast_or_null<CompoundStmt>(function->getBody());
  if (!block || block->size() != 1)
    return nullptr;
  const auto *last = dyn_cast<ReturnStmt>(block->body_front());
  return last ? last->getRetValue() : nullptr;
}

std::optional<Snippet> Expansion::asExpression() {
  const Expr *value = returned();
  if (function->getReturnType()->isRecordType()) {
    fail("it returns a struct");
    return std::nullopt;
  }
  if (!value || changesSomething(value)) {
    fail("its body is more than one return statement");
    return std::nullopt;
  }
  if (!prepare() || !bind(true) || !rename())
    return std::nullopt;
  Snippet out = copied(unit, text, value->getSourceRange(), replacements);
  if (out.namesMacro) {
    fail("a name in it is a macro, too");
    return std::nullopt;
  }
  auto number = elementType(context, function->getReturnType());
  if (!number)
    return Snippet("(") + out + Snippet(")");
  QualType given = value->IgnoreParenImpCasts()->getType();
  if (context.hasSameUnqualifiedType(given, function->getReturnType()))
    return Snippet("(") + out + Snippet(")");
  return Snippet("((" + number->spelling + ")(") + out + Snippet("))");
}

std::optional<Snippet> Expansion::asBlock(const std::string &name) {
  resultName = name;
  Snippet body;
  const auto *block = dyn_cast<CompoundStmt>(function->getBody());
  if (!block) {
    fail("its body is no block");
    return std::nullopt;
  }
  if (!prepare() || !bind(false) || !rename() ||
      !statements(Statements(block->body_begin(), block->body_end()), body))
    return std::nullopt;
  Snippet out = Snippet("{\n") + declarations + body + Snippet("}");
  if (!out.namesMacro)
    return out;
  fail("a name in it is a macro, too");
  return std::nullopt;
}

bool Expansion::prepare() {
  QualType type = function->getReturnType();
  if (function->isVariadic())
    return fail("it takes any number of arguments");
  if (callsItself(function))
    return fail("it calls itself");
  const auto *method = dyn_cast<CXXMethodDecl>(function);
  if (method && method->isVirtual())
    return fail("it is virtual");
  if (!resultName.empty() && !elementType(context, type))
    return fail("it doesn't return a number");
  assigned = assignedIn(function->getBody());
  bool isOperator = isa<CXXOperatorCallExpr>(call) && method;
  for (unsigned i = isOperator; i < call->getNumArgs(); ++i)
    inArguments.merge(
        identifiers(unit, text, call->getArg(i)->getSourceRange()));
  if (method && !method->isStatic() && !method->getParent()->isLambda())
    inArguments.merge(identifiers(
        unit, text,
        (isOperator ? call->getArg(0) : call->getCallee())->getSourceRange()));
  return !method || method->isStatic() ? true : findObject();
}

/// The lambda that `e` is or names.
static const LambdaExpr *lambdaOf(const Expr *e) {
  const VarDecl *v = namedVariable(e);
  const Expr *init = v ? v->getInit() : e;
  return init ? dyn_cast<LambdaExpr>(
                    init->IgnoreParens()->IgnoreUnlessSpelledInSource())
              : nullptr;
}

/// Copies are taken when the lambda is made. They are what the variables are
/// at the call where nothing assigns them in between.
bool Expansion::checkLambda(const LambdaExpr *lambda) {
  bool isMadeHere = !namedVariable(call->getArg(0));
  auto changed = assignedIn(site.function->getBody());
  for (const LambdaCapture &capture : lambda->captures()) {
    if (capture.getCaptureKind() == LCK_StarThis)
      return fail("it copies the object");
    if (!capture.capturesVariable() || capture.getCaptureKind() != LCK_ByCopy)
      continue;
    const auto *v = dyn_cast<VarDecl>(capture.getCapturedVar());
    std::string name = capture.getCapturedVar()->getNameAsString();
    if (!v || v->isInitCapture())
      return fail("it declares '" + name + "' among its captures");
    if (!v->getType()->isScalarType())
      return fail("it copies '" + name + "'; capture by reference");
    if (!isMadeHere && !v->getType().isConstQualified() && changed.count(v))
      return fail("it copies '" + name +
                  "', which is not const; capture by reference");
  }
  return cast<CXXMethodDecl>(function)->isConst() ? true
                                                  : fail("it is mutable");
}

bool Expansion::findObject() {
  const auto *member = dyn_cast<CXXMemberCallExpr>(call);
  const Expr *e =
      member ? member->getImplicitObjectArgument() : call->getArg(0);
  if (cast<CXXMethodDecl>(function)->getParent()->isLambda()) {
    const LambdaExpr *lambda = lambdaOf(e);
    return lambda && !member ? checkLambda(lambda)
                             : fail("where it is written can't be told");
  }
  const auto *access =
      member ? dyn_cast<MemberExpr>(member->getCallee()->IgnoreParens())
             : nullptr;
  bool isArrow = access && access->isArrow();
  if (!isSteady(e))
    return fail("its object is neither a variable nor a member");
  if (isa<CXXThisExpr>(e->IgnoreParenImpCasts())) {
    object = "this->";
    pointer = "this";
    return true;
  }
  std::string name = given(e).text;
  object = name + (isArrow ? "->" : ".");
  pointer = isArrow ? name : "(&" + name + ")";
  return true;
}

/// It means the same throughout the body, however often it is evaluated.
bool Expansion::isSteady(const Expr *e) const {
  if (changesSomething(e))
    return false;
  for (const ValueDecl *named : namedIn(e))
    if (assigned.count(named))
      return false;
  return true;
}

/// The text of an argument, good for use as an operand.
Snippet Expansion::given(const Expr *e) const {
  SourceRange range = e->getSourceRange();
  Snippet out = copied(unit, text, range);
  if (range.getBegin() == range.getEnd() || isa<ParenExpr, LambdaExpr>(e))
    return out;
  return Snippet("(") + out + Snippet(")");
}

bool Expansion::bind(bool asValues) {
  for (unsigned i = 0; i < function->getNumParams(); ++i)
    if (!bindOne(i, asValues))
      return false;
  return true;
}

bool Expansion::bindOne(unsigned number, bool asValues) {
  unsigned skipped =
      isa<CXXOperatorCallExpr>(call) && isa<CXXMethodDecl>(function);
  if (number + skipped >= call->getNumArgs())
    return fail("its arguments can't be told");
  const ParmVarDecl *p = function->getParamDecl(number);
  const Expr *e = call->getArg(number + skipped);
  if (p->isParameterPack())
    return fail("it has a pack of parameters");
  if (const auto *standard = dyn_cast<CXXDefaultArgExpr>(e)) {
    e = standard->getExpr()->IgnoreImplicit();
    if (!isa<IntegerLiteral, FloatingLiteral, CXXBoolLiteralExpr>(e))
      return fail("the default of '" + p->getNameAsString() +
                  "' is no plain number");
  }
  if (changesSomething(e))
    return fail("an argument changes something");
  if (!p->getIdentifier())
    return true;
  return p->getType()->isReferenceType() ? bindReference(p, e, asValues)
                                         : bindValue(p, e, asValues);
}

bool Expansion::substitute(const ParmVarDecl *p, const Expr *e) {
  arguments[p] = given(e->IgnoreUnlessSpelledInSource());
  return true;
}

void Expansion::declare(const ParmVarDecl *p, QualType type, const Expr *e) {
  std::string name = p->getNameAsString();
  if (isTaken(p))
    renamed[p] = name = names.make(name);
  PrintingPolicy policy(context.getLangOpts());
  policy.Bool = true;
  policy.FullyQualifiedName = true;
  type.getCanonicalType().getAsStringInternal(name, policy);
  declarations +=
      Snippet(name + " = ") +
      copied(unit, text, e->IgnoreUnlessSpelledInSource()->getSourceRange()) +
      Snippet(";\n");
}

bool Expansion::bindReference(const ParmVarDecl *p, const Expr *e,
                              bool asValues) {
  QualType type = p->getType().getNonReferenceType();
  const Expr *spelled = e->IgnoreUnlessSpelledInSource();
  std::string name = p->getNameAsString();
  if (isa<LambdaExpr>(spelled))
    return substitute(p, e);
  if (spelled->isLValue() &&
      context.hasSameUnqualifiedType(spelled->getType(), type)) {
    bool isElement = !namedVariable(spelled) && !isa<MemberExpr>(spelled);
    if (isElement && !asValues && elementType(context, type)) {
      declare(p, context.getLValueReferenceType(type), e);
      return true;
    }
    return isSteady(spelled)
               ? substitute(p, e)
               : fail("what '" + name + "' refers to may change in it");
  }
  return elementType(context, type)
             ? bindNumber(p, type.getUnqualifiedType(), e, asValues)
             : fail("its parameter '" + name +
                    "' refers to a value that is made for the call");
}

/// A number, or a variable that only its own name reaches and that isn't
/// assigned in the body.
bool Expansion::isConstant(const Expr *e) const {
  if (isa<IntegerLiteral, FloatingLiteral>(e))
    return true;
  const VarDecl *v = namedVariable(e);
  return v && v->hasLocalStorage() && !v->getType()->isReferenceType() &&
         !assigned.count(v) && !exposedIn(site.function->getBody()).count(v);
}

/// Numbers are copied; where that needs a variable, not in an expression.
bool Expansion::bindNumber(const ParmVarDecl *p, QualType type, const Expr *e,
                           bool asValues) {
  const Expr *spelled = e->IgnoreUnlessSpelledInSource();
  bool isSame = context.hasSameUnqualifiedType(spelled->getType(), type);
  if (!asValues && !(isSame && isConstant(spelled) && !assigned.count(p))) {
    declare(p, type, e);
    return true;
  }
  Snippet value = given(spelled);
  if (!isSame)
    value = Snippet("((" + elementType(context, type)->spelling + ")") + value +
            Snippet(")");
  arguments[p] = value;
  return true;
}

bool Expansion::bindValue(const ParmVarDecl *p, const Expr *e, bool asValues) {
  QualType type = p->getType().getUnqualifiedType();
  const Expr *spelled = e->IgnoreUnlessSpelledInSource();
  std::string name = p->getNameAsString();
  if (elementType(context, type))
    return bindNumber(p, type, e, asValues);
  bool isSteadyHere = !assigned.count(p) && isSteady(e);
  if (type->isPointerType()) {
    if (isSteadyHere && (asValues || namedVariable(spelled)))
      return substitute(p, e);
    if (asValues)
      return fail("what '" + name + "' points to may change in it");
    declare(p, type, e);
    return true;
  }
  const auto *record = type->getAsCXXRecordDecl();
  bool isView = record && (record->isLambda() || isPure(function));
  if (isView && isSteadyHere && (spelled->isLValue() || record->isLambda()))
    return substitute(p, e);
  return fail("its parameter '" + name + "' is no number and no pointer");
}

/// In a lambda names hide others at the call as they do where it is written.
bool Expansion::isTaken(const VarDecl *v) const {
  std::string name = v->getNameAsString();
  if (inArguments.count(name) || name == resultName)
    return true;
  const SourceManager &sources = context.getSourceManager();
  SourceRange region = site.statement->getSourceRange();
  bool isHere =
      !sources.isBeforeInTranslationUnit(v->getLocation(), region.getBegin()) &&
      !sources.isBeforeInTranslationUnit(region.getEnd(), v->getLocation());
  return !isHere && names.isUsedInRegion(name);
}

bool Expansion::rename() {
  auto nameOf = [&](const VarDecl *v) {
    std::string name = v->getNameAsString();
    if (isTaken(v))
      name = names.make(name);
    return name;
  };
  std::string problem =
      replaceNames({unit, site, call, function, object, pointer, arguments,
                    renamed, nameOf, replacements});
  return problem.empty() ? true : fail(problem);
}

Expansion::Leaves Expansion::leaves(const Stmt *s) {
  if (!s || isa<Expr>(s) || isa<DeclStmt>(s))
    return Leaves::Never;
  if (isa<ReturnStmt>(s))
    return Leaves::Always;
  bool isBlock = isa<CompoundStmt>(s);
  if (const auto *choice = dyn_cast<IfStmt>(s)) {
    Leaves then = leaves(choice->getThen()), other = leaves(choice->getElse());
    if (then == Leaves::Inside || other == Leaves::Inside)
      return Leaves::Inside;
    if (then == other)
      return then;
    return Leaves::Sometimes;
  }
  Leaves all = Leaves::Never;
  for (const Stmt *child : s->children()) {
    Leaves one = leaves(child);
    if (one == Leaves::Never)
      continue;
    if (one == Leaves::Inside || !isBlock)
      return Leaves::Inside;
    if (one == Leaves::Always)
      return Leaves::Always;
    all = one;
  }
  return all;
}

bool Expansion::result(const ReturnStmt *s, Snippet &out) {
  const Expr *value = s->getRetValue();
  if (value && resultName.empty() && !changesSomething(value))
    value = nullptr;
  if (!value)
    return true;
  out += resultName.empty() ? Snippet() : Snippet(resultName + " = ");
  out += copied(unit, text, value->getSourceRange(), replacements);
  out += ";\n";
  return true;
}

bool Expansion::braced(const Statements &list, Snippet &out) {
  out += " {\n";
  if (!statements(list, out))
    return false;
  out += "}";
  return true;
}

static std::vector<const Stmt *> listOf(const Stmt *s) {
  if (!s)
    return {};
  if (const auto *block = dyn_cast<CompoundStmt>(s))
    return {block->body_begin(), block->body_end()};
  return {s};
}

/// `if (c) return e; rest` is `if (c) result = e; else rest`.
bool Expansion::branch(const IfStmt *s, Statements rest, Snippet &out) {
  Leaves then = leaves(s->getThen()), other = leaves(s->getElse());
  Statements first = listOf(s->getThen()), second = listOf(s->getElse());
  if (s->isConstexpr())
    return fail("it returns from an 'if constexpr'");
  bool isLast = rest.empty();
  if (then == Leaves::Always) {
    second = s->getElse() ? Statements{s->getElse()} : Statements();
    second.insert(second.end(), rest.begin(), rest.end());
  } else if (other == Leaves::Always) {
    first = {s->getThen()};
    first.insert(first.end(), rest.begin(), rest.end());
  } else if (!isLast) {
    return fail("its early returns can't be written as branches");
  }
  out +=
      copied(unit, text, {s->getBeginLoc(), s->getRParenLoc()}, replacements);
  if (!braced(first, out))
    return false;
  if (!second.empty()) {
    out += " else";
    if (!braced(second, out))
      return false;
  }
  out += "\n";
  return true;
}

bool Expansion::statements(const Statements &list, Snippet &out) {
  for (size_t i = 0; i < list.size(); ++i) {
    const Stmt *s = list[i];
    Leaves how = leaves(s);
    if (how == Leaves::Inside)
      return fail("it returns from inside a loop or switch");
    if (const auto *last = dyn_cast<ReturnStmt>(s))
      return result(last, out);
    if (how == Leaves::Never) {
      const auto *declared = dyn_cast<DeclStmt>(s);
      if (declared && !isa<VarDecl, TypedefNameDecl>(*declared->decl_begin()))
        continue; // using std::max: names are qualified
      out += copied(unit, text, text.withSemicolon(s->getSourceRange()),
                    replacements);
      out += "\n";
      continue;
    }
    Statements rest(list.begin() + i + 1, list.end());
    if (const auto *choice = dyn_cast<IfStmt>(s))
      return branch(choice, rest, out);
    if (how == Leaves::Sometimes && !rest.empty())
      return fail("its early returns can't be written as branches");
    bool ok = braced(listOf(s), out);
    out += "\n";
    return ok;
  }
  return true;
}

} // namespace autokernel
