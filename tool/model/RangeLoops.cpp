// Range-for loops and loops over iterators as counted loops.

#include "model/Normalise.h"

#include "clang/AST/ASTContext.h"

using namespace clang;

namespace autokernel {

/// for (T x : v) body   is   for (n = 0; n < size; ++n) { T x = v[n]; body }
///
/// Loop header and declaration are also read apart from each other, so each
/// has tokens of its own: the colon is the first value, the container's name
/// the bound, and the whole header is written at `for`.
Stmt *Normaliser::rangeLoop(CXXForRangeStmt *s) {
  if (s->getInit()) {
    state.refuse(s->getBeginLoc(), "loop-form",
                 "a range-for loop with an initialiser is not taken yet");
    return s;
  }
  Expr *container = s->getRangeInit()->IgnoreParenImpCasts();
  VarDecl *element = s->getLoopVariable();
  if (isa<DecompositionDecl>(element)) {
    state.refuse(element->getLocation(), "loop-form",
                 "structured bindings are not taken yet");
    return s;
  }
  SourceRange written = container->getSourceRange();
  bool isArray = container->getType()->isConstantArrayType();
  std::string name = state.text.text(written);
  Expr *base = nullptr;
  QualType type;
  if (auto kind = containerOf(context(), container->getType());
      kind && path(container)) {
    VarDecl *v = elements(container);
    if (!v)
      return s;
    name = v->getNameAsString();
    type = v->getType()->getPointeeType();
    base = DeclRefExpr::Create(context(), NestedNameSpecifierLoc(),
                               SourceLocation(), v, false, written.getBegin(),
                               v->getType(), VK_LValue);
  } else if (isArray) {
    Expr *array = expression(container);
    const VarDecl *v = namedVariable(array);
    if (v)
      name = v->getNameAsString();
    base = v ? array : nullptr;
    type = context().getAsArrayType(container->getType())->getElementType();
  }
  if (!base || state.failed()) {
    state.refuse(written.getBegin(), "loop-form",
                 "a range-for loop over '" +
                     container->getType().getAsString() +
                     "' is not taken; it can go over arrays, std::vector, "
                     "std::array, std::span and std::valarray");
    return s;
  }
  Expr *bound = length(container, written);
  if (!bound || state.failed())
    return s;
  QualType sizes = context().getSizeType();
  SourceLocation colon = s->getColonLoc(), declBegin = element->getBeginLoc();
  VarDecl *counter = VarDecl::Create(
      context(), element->getDeclContext(), declBegin, declBegin,
      &context().Idents.get(freeName(element->getNameAsString() + "_index")),
      sizes, context().getTrivialTypeSourceInfo(sizes), SC_None);
  inside.insert(counter);
  counter->setInit(integer(0, colon, sizes));
  edit({colon, colon}, "0");
  Expr *value = subscripted(base, loaded(use(counter, written.getBegin())),
                            type, written.getEnd());
  SourceRange declared(declBegin, element->getLocation());
  std::string index = counter->getNameAsString();
  for (Edits *edits : {&state.edits, &state.referenceEdits})
    edits->insertAfter(element->getLocation(),
                       " = " + name + "[" + index + "];");
  Stmt *own = nullptr;
  if (element->getType()->isReferenceType())
    own = alias(element, value, declared);
  else if (elementType(context(), element->getType())) {
    element->setInit(converted(loaded(value), element->getType()));
    element->setCXXForRangeDecl(false); // else visitors skip the value
    own = new (context())
        DeclStmt(DeclGroupRef(element), declBegin, element->getLocation());
  } else {
    state.refuse(element->getLocation(), "unsupported-type",
                 "'" + element->getNameAsString() +
                     "' is a copy of a struct; take a reference, const auto &");
    return s;
  }
  if (state.failed())
    return s;
  writeHeader(s, declared, index);
  std::vector<Stmt *> children = {own};
  Stmt *body = statement(s->getBody());
  if (auto *block = dyn_cast<CompoundStmt>(body))
    children.insert(children.end(), block->body_begin(), block->body_end());
  else
    children.push_back(body);
  auto *block = CompoundStmt::Create(context(), children, FPOptionsOverride(),
                                     body->getBeginLoc(), body->getEndLoc());
  auto *first =
      new (context()) DeclStmt(DeclGroupRef(counter), declBegin, colon);
  Expr *test = BinaryOperator::Create(
      context(), loaded(use(counter, colon)), bound, BO_LT,
      context().getLogicalOperationType(), VK_PRValue, OK_Ordinary, colon,
      FPOptionsOverride());
  return new (context())
      ForStmt(context(), first, test, nullptr, increment(counter, colon), block,
              s->getForLoc(), s->getForLoc(), s->getRParenLoc());
}

void Normaliser::writeHeader(const CXXForRangeStmt *s, SourceRange declared,
                             const std::string &index) {
  std::string size = elementType(context(), context().getSizeType())->spelling;
  Splice splice;
  splice.pieces = {{"for (" + size + " " + index + " = 0; " + index + " < ",
                    nullptr,
                    {},
                    {}},
                   {"", nullptr, s->getRangeInit()->getSourceRange(), nullptr},
                   {"; ++" + index + ") { ", nullptr, {}, nullptr},
                   {"", nullptr, declared, nullptr},
                   {" ", nullptr, {}, nullptr}};
  const Stmt *body = s->getBody();
  if (const auto *block = dyn_cast<CompoundStmt>(body)) {
    splice.last = block->getLBracLoc();
  } else {
    SourceRange whole = state.text.withSemicolon(body->getSourceRange());
    splice.last = whole.getEnd();
    splice.pieces.push_back({"", nullptr, whole, nullptr});
    splice.pieces.push_back({" }", nullptr, {}, nullptr});
  }
  for (Edits *edits : {&state.edits, &state.referenceEdits})
    edits->splices.splices[s->getForLoc().getRawEncoding()] = splice;
}

Expr *Normaliser::use(VarDecl *v, SourceLocation at) {
  return DeclRefExpr::Create(context(), NestedNameSpecifierLoc(),
                             SourceLocation(), v, false, at,
                             v->getType().getNonReferenceType(), VK_LValue);
}

Expr *Normaliser::converted(Expr *e, QualType to) {
  QualType from = e->getType();
  to = to.getUnqualifiedType();
  if (context().hasSameUnqualifiedType(from, to))
    return e;
  bool fromFloat = from->isFloatingType(), toFloat = to->isFloatingType();
  CastKind kind =
      to->isBooleanType()
          ? (fromFloat ? CK_FloatingToBoolean : CK_IntegralToBoolean)
      : fromFloat ? (toFloat ? CK_FloatingCast : CK_FloatingToIntegral)
                  : (toFloat ? CK_IntegralToFloating : CK_IntegralCast);
  return ImplicitCastExpr::Create(context(), to, kind, e, nullptr, VK_PRValue,
                                  FPOptionsOverride());
}

Expr *Normaliser::increment(VarDecl *counter, SourceLocation at) {
  return UnaryOperator::Create(context(), use(counter, at), UO_PreInc,
                               counter->getType(), VK_LValue, OK_Ordinary, at,
                               false, FPOptionsOverride());
}

/// The container of `v.begin()`, `v.cend()` and the like.
static Expr *rangeOf(Expr *e, llvm::StringRef wanted) {
  e = e->IgnoreImplicit();
  if (auto *made = dyn_cast<CXXConstructExpr>(e))
    if (made->getNumArgs() == 1)
      e = made->getArg(0)->IgnoreImplicit();
  auto *call = dyn_cast<CXXMemberCallExpr>(e);
  if (!call || !call->getMethodDecl()->getIdentifier())
    return nullptr;
  llvm::StringRef name = call->getMethodDecl()->getName();
  name.consume_front("c");
  return name == wanted ? call->getImplicitObjectArgument() : nullptr;
}

/// The sides of `it != v.end()`.
static std::pair<Expr *, Expr *> comparison(Expr *e) {
  if (!e)
    return {};
  e = e->IgnoreImplicit();
  if (auto *rewritten = dyn_cast<CXXRewrittenBinaryOperator>(e)) {
    auto parts = rewritten->getDecomposedForm();
    if (parts.Opcode != BO_NE)
      return {};
    return {const_cast<Expr *>(parts.LHS), const_cast<Expr *>(parts.RHS)};
  }
  if (auto *call = dyn_cast<CXXOperatorCallExpr>(e))
    if (call->getOperator() == OO_ExclaimEqual && call->getNumArgs() == 2)
      return {call->getArg(0), call->getArg(1)};
  if (auto *plain = dyn_cast<BinaryOperator>(e))
    if (plain->getOpcode() == BO_NE)
      return {plain->getLHS(), plain->getRHS()};
  return {};
}

static const VarDecl *incremented(Expr *e) {
  if (!e)
    return nullptr;
  e = e->IgnoreImplicit();
  if (auto *call = dyn_cast<CXXOperatorCallExpr>(e))
    return call->getOperator() == OO_PlusPlus ? namedVariable(call->getArg(0))
                                              : nullptr;
  auto *plain = dyn_cast<UnaryOperator>(e);
  return plain && plain->isIncrementOp() ? namedVariable(plain->getSubExpr())
                                         : nullptr;
}

/// for (auto it = v.begin(); it != v.end(); ++it): `it` becomes the index.
bool Normaliser::iteratorLoop(ForStmt *s) {
  auto *decl = dyn_cast_or_null<DeclStmt>(s->getInit());
  auto *it = decl && decl->isSingleDecl()
                 ? dyn_cast<VarDecl>(decl->getSingleDecl())
                 : nullptr;
  Expr *container =
      it && it->getInit() ? rangeOf(it->getInit(), "begin") : nullptr;
  if (!container || !containerOf(context(), container->getType()))
    return false;
  auto [left, right] = comparison(s->getCond());
  Expr *same = right ? rangeOf(right, "end") : nullptr;
  auto from = path(container);
  auto to = same ? path(same) : std::nullopt;
  if (!from || !to || from->key != to->key || namedVariable(left) != it ||
      incremented(s->getInc()) != it) {
    state.refuse(s->getForLoc(), "loop-form",
                 "a loop over iterators has the form 'for (auto it = v.begin();"
                 " it != v.end(); ++it)'");
    return true;
  }
  QualType sizes = context().getSizeType();
  VarDecl *counter =
      VarDecl::Create(context(), it->getDeclContext(), it->getBeginLoc(),
                      it->getLocation(), it->getIdentifier(), sizes,
                      context().getTrivialTypeSourceInfo(sizes), SC_None);
  SourceRange begin = it->getInit()->getSourceRange();
  edit(it->getTypeSourceInfo()->getTypeLoc().getSourceRange(),
       elementType(context(), sizes)->spelling);
  edit(begin, "0");
  counter->setInit(integer(0, begin.getBegin(), sizes));
  inside.insert(counter);
  SourceLocation at = s->getCond()->getExprLoc();
  Expr *bound = length(same, right->getSourceRange());
  if (!bound)
    return true;
  s->setInit(new (context()) DeclStmt(DeclGroupRef(counter),
                                      decl->getBeginLoc(), decl->getEndLoc()));
  s->setCond(BinaryOperator::Create(
      context(), loaded(use(counter, left->getBeginLoc())), bound, BO_NE,
      context().getLogicalOperationType(), VK_PRValue, OK_Ordinary, at,
      FPOptionsOverride()));
  s->setInc(increment(counter, s->getInc()->getBeginLoc()));
  iterators[it] = {counter, container};
  s->setBody(statement(s->getBody()));
  return true;
}

} // namespace autokernel
