#include "model/Desugar.h"

#include "model/Algorithms.h"
#include "model/Effects.h"
#include "model/Expansion.h"
#include "model/MathCalls.h"
#include "model/Normalise.h"
#include "scan/Algorithms.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace autokernel {

namespace {

using Edits = std::vector<RewrittenSource::Edit>;

/// A call inside a statement, and whether it is made whenever that is reached.
struct FoundCall {
  const CallExpr *call;
  bool isConditional;
};

/// A function of numbers that Callees.cpp takes as it is.
class Arithmetic : public RecursiveASTVisitor<Arithmetic> {
public:
  bool ok = true;
  bool VisitDeclRefExpr(DeclRefExpr *ref) {
    const auto *v = dyn_cast<VarDecl>(ref->getDecl());
    QualType type = ref->getType();
    bool isConstant =
        v && (v->isConstexpr() || (type.isConstQualified() &&
                                   type->isIntegralType(v->getASTContext())));
    bool isFree = v && !v->isLocalVarDeclOrParm() && !isConstant;
    return isFree ? fail() : true;
  }
  bool VisitVarDecl(VarDecl *v) {
    return v->getType()->isPointerType() || v->getType()->isReferenceType()
               ? fail()
               : true;
  }
  bool VisitMemberExpr(MemberExpr *) { return fail(); }
  bool VisitLambdaExpr(LambdaExpr *) { return fail(); }

private:
  bool fail() {
    ok = false;
    return false;
  }
};

bool takesNumbers(const ASTContext &context, const FunctionDecl *f) {
  return llvm::all_of(f->parameters(), [&](const ParmVarDecl *p) {
    QualType type = p->getType();
    bool isMutable = type->isReferenceType() &&
                     !type.getNonReferenceType().isConstQualified();
    bool isReference = type->isReferenceType() && !isa<CXXMethodDecl>(f);
    return !isMutable && !isReference &&
           elementType(context, type.getNonReferenceType());
  });
}

class Desugarer {
public:
  Desugarer(const ParsedUnit &unit, const SourceText &text, const Site &site)
      : unit(unit), context(unit.context), text(text), site(site),
        names(unit, text, site) {}

  Edits edits;
  std::optional<Refusal> refusal;

  /// `isListed`: other statements may stand beside it.
  void statement(const Stmt *s, bool isListed);

private:
  using Parts = std::vector<const Expr *>;
  static Parts partsOf(const Stmt *s);
  /// Answers what has to be written behind the statement.
  std::optional<RewrittenSource::Edit> leaf(const Stmt *s, bool isListed);
  void find(const Stmt *s, bool isConditional, std::vector<FoundCall> &out);
  bool isWanted(const CallExpr *call) const;
  bool isTakenAsIs(const CallExpr *call, const FunctionDecl *f) const;
  /// Why the call can't be made before the rest of its statement, or nothing.
  std::string whyNotMoved(const Stmt *s, const FoundCall &found);
  void expand(const Stmt *s, const FoundCall &found, Snippet &before);
  void algorithm(const Stmt *s, const FoundCall &found, Snippet &before);
  void move(const Stmt *s, const CallExpr *call, const Snippet &block,
            const std::string &result, Snippet &before);
  std::string resultOf(const CallExpr *call, QualType type, Snippet &before);
  bool refuse(const CallExpr *call, const std::string &why);
  bool replace(SourceRange range, const Snippet &with);

  const ParsedUnit &unit;
  ASTContext &context;
  const SourceText &text;
  const Site &site;
  FreshNames names;
};

bool Desugarer::refuse(const CallExpr *call, const std::string &why) {
  if (refusal)
    return false;
  const SourceManager &sources = context.getSourceManager();
  const FunctionDecl *callee = call->getDirectCallee();
  const auto *method = dyn_cast_or_null<CXXMethodDecl>(callee);
  bool isLambda = method && method->getParent()->isLambda();
  std::string name = callee ? callee->getNameAsString() : "";
  refusal = Refusal{"call-unsupported",
                    placeOf(sources, sources.getFileLoc(call->getExprLoc())),
                    (isLambda ? "the lambda" : "'" + name + "'") +
                        " can't be taken into a kernel: " + why,
                    {}};
  return false;
}

bool Desugarer::replace(SourceRange range, const Snippet &with) {
  const SourceManager &sources = context.getSourceManager();
  SourceLocation begin = range.getBegin(), end = range.getEnd();
  FileID file =
      sources.getFileID(sources.getExpansionLoc(site.statement->getBeginLoc()));
  if (begin.isMacroID() || end.isMacroID() ||
      sources.getFileID(begin) != file || sources.getFileID(end) != file)
    return false;
  unsigned length =
      Lexer::MeasureTokenLength(end, sources, context.getLangOpts());
  edits.push_back({sources.getFileOffset(begin),
                   sources.getFileOffset(end) + length, with});
  return true;
}

bool Desugarer::isTakenAsIs(const CallExpr *call, const FunctionDecl *f) const {
  if (callsItself(f))
    return false;
  if (!elementType(context, f->getReturnType().getNonReferenceType()) ||
      !takesNumbers(context, f))
    return false;
  const auto *method = dyn_cast<CXXMethodDecl>(f);
  if (!method || method->isStatic()) {
    Arithmetic body;
    body.TraverseStmt(f->getBody());
    return body.ok && !f->isTemplateInstantiation() && isPure(f) &&
           !f->getReturnType()->isReferenceType();
  }
  const auto *block = dyn_cast<CompoundStmt>(f->getBody());
  const auto *last = block && block->size() == 1
                         ? dyn_cast<ReturnStmt>(block->body_front())
                         : nullptr;
  if (!last || !last->getRetValue() || changesSomething(last->getRetValue()))
    return false;
  if (method->getParent()->isLambda() &&
      llvm::any_of(method->getParent()->captures(), [](const LambdaCapture &c) {
        return c.getCaptureKind() == LCK_ByCopy;
      }))
    return false; // whether the copies are what they copy is seen there
  const auto *member = dyn_cast<CXXMemberCallExpr>(call);
  const Expr *object =
      member ? member->getImplicitObjectArgument() : call->getArg(0);
  object = object->IgnoreParenImpCasts();
  return isa<DeclRefExpr, MemberExpr, CXXThisExpr, LambdaExpr>(object) ||
         (isa<CXXOperatorCallExpr>(call) && method->getParent()->isLambda());
}

bool Desugarer::isWanted(const CallExpr *call) const {
  if (isAlgorithm(call))
    return true;
  const FunctionDecl *f = call->getDirectCallee();
  if (!f || !f->hasBody(f) || f->isDefaulted() || resolveMathCall(call) ||
      context.getSourceManager().isInSystemHeader(f->getLocation()))
    return false;
  const auto *method = dyn_cast<CXXMethodDecl>(f);
  if (method && (method->isVirtual() || isa<CXXConstructorDecl>(f)))
    return false;
  return !isTakenAsIs(call, f);
}

/// Calls to be written out, without those that hold another one.
void Desugarer::find(const Stmt *s, bool isConditional,
                     std::vector<FoundCall> &out) {
  if (!s || isa<LambdaExpr>(s))
    return;
  size_t before = out.size();
  if (const auto *choice = dyn_cast<AbstractConditionalOperator>(s)) {
    find(choice->getCond(), isConditional, out);
    find(choice->getTrueExpr(), true, out);
    find(choice->getFalseExpr(), true, out);
    return;
  }
  if (const auto *b = dyn_cast<BinaryOperator>(s); b && b->isLogicalOp()) {
    find(b->getLHS(), isConditional, out);
    find(b->getRHS(), true, out);
    return;
  }
  for (const Stmt *child : s->children())
    find(child, isConditional, out);
  const auto *call = dyn_cast<CallExpr>(s);
  if (call && out.size() == before && isWanted(call))
    out.push_back({call, isConditional});
}

const Expr *plain(const Expr *e) { return e->IgnoreUnlessSpelledInSource(); }

/// The value of a call as a whole statement is not used.
bool isAlone(const Stmt *s, const Expr *call) {
  const auto *e = dyn_cast<Expr>(s);
  return e && plain(e) == call;
}

/// `f();`, `v = f();` and `T v = f();`: nothing else happens there. Since C++17
/// the right side of an assignment comes first.
bool isWhole(const Stmt *s, const Expr *call, const LangOptions &language) {
  if (isAlone(s, call))
    return true;
  if (const auto *e = dyn_cast<Expr>(s)) {
    const auto *assigned = dyn_cast<BinaryOperator>(plain(e));
    return assigned && assigned->getOpcode() == BO_Assign &&
           (namedVariable(assigned->getLHS()) ||
            (language.CPlusPlus17 && !changesSomething(assigned->getLHS()))) &&
           plain(assigned->getRHS()) == call;
  }
  const auto *declared = dyn_cast<DeclStmt>(s);
  const auto *v = declared && declared->isSingleDecl()
                      ? dyn_cast<VarDecl>(declared->getSingleDecl())
                      : nullptr;
  return v && v->getInit() && plain(v->getInit()) == call;
}

/// Besides what the statement itself assigns.
bool changesMore(const Expr *part) {
  const auto *root = dyn_cast<BinaryOperator>(plain(part));
  if (root && root->isAssignmentOp())
    return changesSomething(root->getLHS()) || changesSomething(root->getRHS());
  if (const auto *call = dyn_cast<CallExpr>(plain(part))) // arguments first
    return llvm::any_of(call->arguments(), changesSomething);
  return changesSomething(part);
}

std::string Desugarer::whyNotMoved(const Stmt *s, const FoundCall &found) {
  if (isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(s))
    return "it is called in the header of a loop";
  if (found.isConditional)
    return "it is called under a condition inside an expression; write an "
           "'if'";
  const auto *declared = dyn_cast<DeclStmt>(s);
  if (declared && !declared->isSingleDecl())
    return "its statement declares several variables; declare one in each";
  if (isWhole(s, found.call, context.getLangOpts()))
    return "";
  if (!isAlgorithm(found.call) && !isPure(found.call->getDirectCallee()))
    return "it changes memory inside a larger expression; make the call a "
           "statement of its own";
  for (const Expr *part : partsOf(s))
    if (changesMore(part))
      return "its statement changes something else, too; make the call a "
             "statement of its own";
  return "";
}

std::string Desugarer::resultOf(const CallExpr *call, QualType type,
                                Snippet &before) {
  const FunctionDecl *f = call->getDirectCallee();
  std::string name = f->getIdentifier() ? f->getNameAsString() : "value";
  name = names.make(name + "_result");
  before += elementType(context, type)->spelling + " " + name + ";\n";
  return name;
}

/// The block goes before the statement; the result stands for the call.
void Desugarer::move(const Stmt *s, const CallExpr *call, const Snippet &block,
                     const std::string &result, Snippet &before) {
  before += block;
  before += "\n";
  bool ok =
      isAlone(s, call)
          ? replace(text.withSemicolon(s->getSourceRange()), "")
          : replace(static_cast<const Stmt *>(call)->getSourceRange(), result);
  if (!ok)
    refuse(call, "the call is written by a macro");
}

void Desugarer::expand(const Stmt *s, const FoundCall &found, Snippet &before) {
  const CallExpr *call = found.call;
  QualType type = call->getDirectCallee()->getReturnType();
  Expansion inPlace(unit, text, site, names, call);
  if (!type->isVoidType())
    if (auto value = inPlace.asExpression()) {
      if (!replace(static_cast<const Stmt *>(call)->getSourceRange(), *value))
        refuse(call, "the call is written by a macro");
      return;
    }
  bool isUsed = !isAlone(s, call);
  if (isUsed && !elementType(context, type)) {
    refuse(call, inPlace.returned() ? inPlace.why : "it returns no number");
    return;
  }
  std::string result = isUsed ? resultOf(call, type, before) : "";
  Expansion body(unit, text, site, names, call);
  auto block = body.asBlock(result);
  std::string why = block ? whyNotMoved(s, found) : body.why;
  if (why.empty())
    move(s, call, *block, result, before);
  else
    refuse(call, why);
}

void Desugarer::algorithm(const Stmt *s, const FoundCall &found,
                          Snippet &before) {
  bool isUsed = !isAlone(s, found.call);
  QualType type = found.call->getType();
  bool isNumber = elementType(context, type.getUnqualifiedType()).has_value();
  std::string why = whyNotMoved(s, found), result;
  if (why.empty() && isUsed && !isNumber)
    why = "what it returns can't be used";
  if (why.empty() && isNumber)
    result = resultOf(found.call, type, before);
  AlgorithmText written = writeAlgorithm(unit, text, names, found.call, result);
  if (why.empty())
    why = written.why;
  if (why.empty())
    move(s, found.call, written.block, result, before);
  else
    refuse(found.call, why);
}

std::optional<RewrittenSource::Edit> Desugarer::leaf(const Stmt *s,
                                                     bool isListed) {
  std::vector<FoundCall> calls;
  for (const Expr *part : partsOf(s))
    find(part, false, calls);
  size_t place = edits.size();
  Snippet before;
  for (const FoundCall &found : calls)
    if (!refusal)
      isAlgorithm(found.call) ? algorithm(s, found, before)
                              : expand(s, found, before);
  if (refusal || before.text.empty())
    return std::nullopt;
  bool isDeclaration = isa<DeclStmt>(s);
  if (isDeclaration && !isListed) {
    refuse(calls[0].call, "it stands in a declaration behind a label");
    return std::nullopt;
  }
  if (!replace(text.withSemicolon(s->getSourceRange()), "")) {
    refuse(calls[0].call, "the call is written by a macro");
    return std::nullopt;
  }
  RewrittenSource::Edit whole = edits.back();
  edits.pop_back();
  edits.insert(edits.begin() + place,
               {whole.begin, whole.begin,
                isDeclaration ? before : Snippet("{\n") + before});
  if (isDeclaration)
    return std::nullopt;
  return RewrittenSource::Edit{whole.end, whole.end, "\n}"};
}

/// The expressions that belong to `s` itself.
Desugarer::Parts Desugarer::partsOf(const Stmt *s) {
  Parts parts;
  if (const auto *e = dyn_cast<Expr>(s))
    parts = {e};
  else if (const auto *declared = dyn_cast<DeclStmt>(s)) {
    for (const Decl *d : declared->decls())
      if (const auto *v = dyn_cast<VarDecl>(d); v && v->getInit())
        parts.push_back(v->getInit());
  } else if (const auto *choice = dyn_cast<IfStmt>(s))
    parts = {choice->getCond()};
  else if (const auto *choice = dyn_cast<SwitchStmt>(s))
    parts = {choice->getCond()};
  else if (const auto *loop = dyn_cast<WhileStmt>(s))
    parts = {loop->getCond()};
  else if (const auto *loop = dyn_cast<DoStmt>(s))
    parts = {loop->getCond()};
  else if (const auto *loop = dyn_cast<CXXForRangeStmt>(s))
    parts = {loop->getRangeInit()};
  else if (const auto *loop = dyn_cast<ForStmt>(s)) {
    if (const auto *init = dyn_cast_or_null<DeclStmt>(loop->getInit()))
      parts = partsOf(init);
    else
      parts = {dyn_cast_or_null<Expr>(loop->getInit())};
    parts.push_back(loop->getCond());
    parts.push_back(loop->getInc());
  }
  llvm::erase(parts, nullptr);
  return parts;
}

void Desugarer::statement(const Stmt *s, bool isListed) {
  if (!s || refusal)
    return;
  if (const auto *block = dyn_cast<CompoundStmt>(s)) {
    for (const Stmt *child : block->body())
      statement(child, true);
    return;
  }
  auto end = leaf(s, isListed);
  if (const auto *choice = dyn_cast<IfStmt>(s)) {
    statement(choice->getThen(), false);
    statement(choice->getElse(), false);
  } else if (const auto *choice = dyn_cast<SwitchStmt>(s))
    statement(choice->getBody(), false);
  else if (const auto *label = dyn_cast<SwitchCase>(s))
    statement(label->getSubStmt(), false);
  else if (const auto *loop = dyn_cast<ForStmt>(s))
    statement(loop->getBody(), false);
  else if (const auto *loop = dyn_cast<WhileStmt>(s))
    statement(loop->getBody(), false);
  else if (const auto *loop = dyn_cast<DoStmt>(s))
    statement(loop->getBody(), false);
  else if (const auto *loop = dyn_cast<CXXForRangeStmt>(s))
    statement(loop->getBody(), false);
  else if (const auto *attributed = dyn_cast<AttributedStmt>(s))
    statement(attributed->getSubStmt(), false);
  if (end)
    edits.push_back(*end);
}

} // namespace

Desugared desugar(const ParsedUnit &unit, const Site &site,
                  const SourceText &text) {
  if (site.refusal || !site.function || site.function->isDependentContext())
    return {};
  Desugarer desugarer(unit, text, site);
  desugarer.statement(site.statement, false);
  if (desugarer.refusal)
    return {{}, desugarer.refusal};
  return {std::move(desugarer.edits), std::nullopt};
}

} // namespace autokernel
