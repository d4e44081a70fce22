// Calls of one-line member functions and lambdas as what they return.

#include "model/Normalise.h"

#include "clang/AST/ASTContext.h"

using namespace clang;

namespace autokernel {

bool Normaliser::refuseCall(const CallExpr *e, const std::string &why) {
  const FunctionDecl *callee = e->getDirectCallee();
  const auto *method = dyn_cast_or_null<CXXMethodDecl>(callee);
  bool isLambda = method && method->getParent()->isLambda();
  state.refuse(e->getExprLoc(), "call-unsupported",
               (isLambda
                    ? "the lambda"
                    : "'" + (callee ? callee->getNameAsString() : "") + "'") +
                   " can't be taken into a kernel: " + why);
  return false;
}

/// The expression of `{ return e; }`.
static Expr *returned(const FunctionDecl *f) {
  auto *block = dyn_cast_or_null<CompoundStmt>(f->getBody());
  if (!block || block->size() != 1)
    return nullptr;
  auto *result = dyn_cast<ReturnStmt>(block->body_front());
  return result ? result->getRetValue() : nullptr;
}

static bool changesSomething(const Stmt *s) {
  const auto *binary = dyn_cast<BinaryOperator>(s);
  const auto *unary = dyn_cast<UnaryOperator>(s);
  if ((binary && binary->isAssignmentOp()) ||
      (unary && unary->isIncrementDecrementOp()))
    return true;
  return llvm::any_of(s->children(), [](const Stmt *child) {
    return child && changesSomething(child);
  });
}

/// Copies are taken when the lambda is made; only what stays is the same later.
static const VarDecl *changingCopy(const LambdaExpr *lambda,
                                   const ASTContext &) {
  for (const LambdaCapture &capture : lambda->captures())
    if (capture.capturesVariable() && capture.getCaptureKind() == LCK_ByCopy) {
      const auto *v = dyn_cast<VarDecl>(capture.getCapturedVar());
      bool isInit = v && v->isInitCapture();
      if (isInit || !v || !v->getType().isConstQualified())
        return dyn_cast<VarDecl>(capture.getCapturedVar());
    }
  return nullptr;
}

static const LambdaExpr *lambdaOf(const Expr *e) {
  const VarDecl *v = namedVariable(e);
  const Expr *init = v ? v->getInit() : e;
  return init ? dyn_cast<LambdaExpr>(init->IgnoreParens()->IgnoreImplicit())
              : nullptr;
}

bool Normaliser::findObject(CallExpr *e, Inlining &call) {
  const auto *member = dyn_cast<CXXMemberCallExpr>(e);
  const Expr *object =
      member ? member->getImplicitObjectArgument() : e->getArg(0);
  const auto *method = cast<CXXMethodDecl>(call.function);
  if (method->getParent()->isLambda()) {
    const LambdaExpr *lambda = lambdaOf(object);
    if (!lambda)
      return refuseCall(e, "where it is written can't be told");
    if (const VarDecl *copied = changingCopy(lambda, context()))
      return refuseCall(e, "it copies '" + copied->getNameAsString() +
                               "', which is not const; capture by reference");
    // Its `this` is that of the code around it.
    call.object = current ? current->object : std::nullopt;
    return true;
  }
  call.object = path(object);
  if (!call.object)
    return refuseCall(e, "its object is neither a variable nor a member");
  if (!call.object->type->isPointerType())
    call.object->type = context().getPointerType(call.object->type);
  else if (!(member && cast<MemberExpr>(member->getCallee())->isArrow()))
    return refuseCall(e, "its object is a pointer");
  if (!(member && cast<MemberExpr>(member->getCallee())->isArrow()) &&
      call.object->spelling != "this")
    call.object->spelling = "(&" + call.object->spelling + ")";
  return true;
}

bool Normaliser::bindArguments(CallExpr *e, Inlining &call) {
  unsigned skipped = isa<CXXOperatorCallExpr>(e) ? 1 : 0;
  for (unsigned i = 0; i < call.function->getNumParams(); ++i) {
    const ParmVarDecl *parameter = call.function->getParamDecl(i);
    QualType type = parameter->getType();
    bool isMutable = type->isReferenceType() &&
                     !type.getNonReferenceType().isConstQualified();
    if (isMutable || !elementType(context(), type.getNonReferenceType()))
      return refuseCall(e, "its parameter '" + parameter->getNameAsString() +
                               "' is no number");
    Expr *given = e->getArg(i + skipped);
    SourceRange written = given->getSourceRange();
    if (changesSomething(given) || isa<CXXDefaultArgExpr>(given))
      return refuseCall(e, "an argument has side effects or is a default");
    Expr *value = given;
    while (isa<FullExpr, MaterializeTemporaryExpr>(value))
      value = isa<FullExpr>(value)
                  ? cast<FullExpr>(value)->getSubExpr()
                  : cast<MaterializeTemporaryExpr>(value)->getSubExpr();
    call.arguments[parameter] = {loaded(expression(value)), written,
                                 given->IgnoreParenImpCasts()->getType()};
  }
  return !state.failed();
}

/// `text` of type `given` as a value of type `wanted`.
static std::vector<Piece> asType(const ASTContext &context, QualType given,
                                 QualType wanted, Piece text, bool isToken) {
  auto plain = [](QualType t) {
    return t.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  };
  if (plain(given) != plain(wanted))
    return {{"((" + elementType(context, plain(wanted))->spelling + ")(",
             nullptr,
             {},
             nullptr},
            text,
            {"))", nullptr, {}, nullptr}};
  if (isToken)
    return {text};
  return {{"(", nullptr, {}, nullptr}, text, {")", nullptr, {}, nullptr}};
}

Expr *Normaliser::inlined(CallExpr *e) {
  const FunctionDecl *function = e->getDirectCallee();
  const auto *method = dyn_cast_or_null<CXXMethodDecl>(function);
  if (!method || method->isStatic() ||
      (state.sources.isInSystemHeader(method->getLocation())))
    return nullptr;
  if (method->isVirtual())
    return refuseCall(e, "it is virtual"), e;
  if (!function->hasBody(function)) {
    state.refuse(e->getExprLoc(), "call-without-body",
                 "the body of '" + method->getNameAsString() +
                     "' can't be seen here");
    return e;
  }
  for (const Inlining *i = current; i; i = i->outer)
    if (i->function == function)
      return refuseCall(e, "it calls itself"), e;
  Expr *body = returned(function);
  if (!body)
    return refuseCall(e, "its body is more than one return statement"), e;
  Inlining call;
  call.function = function;
  call.outer = current;
  state.frames.emplace_back();
  call.frame = &state.frames.back();
  if (!findObject(e, call) || !bindArguments(e, call))
    return e;
  auto same = bodyAt.emplace(body->getBeginLoc().getRawEncoding(), function);
  if (same.first->second != function)
    return refuseCall(e, "two instantiations of it are used"), e;
  const Frame *frame = call.frame;
  Frame *caller = current ? current->frame : nullptr;
  current = &call;
  Expr *result = expression(body);
  current = const_cast<Inlining *>(call.outer);
  if (state.failed())
    return e;
  state.inlined.push_back(state.text.tokens(body->getSourceRange()));
  QualType type = function->getReturnType();
  if (!type->isReferenceType() && !elementType(context(), type))
    return refuseCall(e, "it doesn't return a number"), e;
  if (!type->isReferenceType())
    result = loaded(result);
  // Of the class itself: a CallExpr's begins at the operator.
  SourceRange whole = static_cast<const Stmt *>(e)->getSourceRange();
  Splice splice{whole.getEnd(),
                asType(context(), body->IgnoreParenImpCasts()->getType(), type,
                       {"", nullptr, body->getSourceRange(), frame}, false)};
  unsigned key = whole.getBegin().getRawEncoding();
  if (caller)
    caller->splices[key] = splice;
  else
    for (Edits *edits : {&state.edits, &state.referenceEdits})
      edits->splices.splices[key] = splice;
  return new (context()) ParenExpr(whole.getBegin(), whole.getEnd(), result);
}

Expr *Normaliser::argument(const DeclRefExpr *ref) {
  const auto &given = current->arguments.at(cast<VarDecl>(ref->getDecl()));
  Piece text{"", nullptr, given.written,
             current->outer ? current->outer->frame : nullptr};
  current->frame->splices[ref->getBeginLoc().getRawEncoding()] = {
      ref->getEndLoc(),
      asType(context(), given.type, ref->getDecl()->getType(), text,
             given.written.getBegin() == given.written.getEnd())};
  return given.value;
}

/// A name in an inlined body that means something else at the call.
bool Normaliser::isHidden(const ValueDecl *decl) const {
  for (const VarDecl *v : inside)
    if (v != decl && v->getIdentifier() == decl->getIdentifier() &&
        v->getIdentifier())
      return true;
  return false;
}

/// A global that the body finds in its class or namespace, named at the region.
void Normaliser::qualify(const DeclRefExpr *ref) {
  const auto *v = dyn_cast<VarDecl>(ref->getDecl());
  if (!v || v->isLocalVarDeclOrParm() || !v->hasGlobalStorage())
    return;
  bool isOpen = v->getAccess() == AS_public || v->getAccess() == AS_none;
  std::string name = "::" + v->getQualifiedNameAsString();
  if (!isOpen || name.find('(') != std::string::npos)
    state.refuse(ref->getBeginLoc(), "call-unsupported",
                 "'" + v->getNameAsString() +
                     "' can't be named where the function is called");
  state.argumentOf[v] = name;
}

Expr *Normaliser::copyCast(CastExpr *e, Expr *sub) {
  if (const auto *written = dyn_cast<ExplicitCastExpr>(e)) {
    auto type = elementType(context(), e->getType());
    TypeSourceInfo *info = written->getTypeInfoAsWritten();
    if (!type || !info ||
        (isa<CXXFunctionalCastExpr>(e) &&
         type->spelling.find(' ') != std::string::npos)) {
      state.refuse(e->getBeginLoc(), "call-unsupported",
                   "this cast can't be taken into a kernel");
      return e;
    }
    SourceRange range = info->getTypeLoc().getSourceRange();
    current->frame->splices[range.getBegin().getRawEncoding()] = {
        range.getEnd(), {{type->spelling, nullptr, {}, nullptr}}};
  }
  if (e->getCastKind() == CK_LValueToRValue)
    return loaded(sub);
  return ImplicitCastExpr::Create(context(), e->getType(), e->getCastKind(),
                                  sub, nullptr, e->getValueKind(),
                                  FPOptionsOverride());
}

/// The same expression for one call.
Expr *Normaliser::copy(Expr *e) {
  ASTContext &c = context();
  FPOptionsOverride plain;
  if (auto *full = dyn_cast<FullExpr>(e))
    return expression(full->getSubExpr());
  if (auto *made = dyn_cast<MaterializeTemporaryExpr>(e))
    return expression(made->getSubExpr());
  if (auto *p = dyn_cast<ParenExpr>(e))
    return new (c)
        ParenExpr(p->getLParen(), p->getRParen(), expression(p->getSubExpr()));
  if (auto *cast = dyn_cast<CastExpr>(e))
    return copyCast(cast, expression(cast->getSubExpr()));
  if (auto *u = dyn_cast<UnaryOperator>(e); u && !u->isIncrementDecrementOp())
    return UnaryOperator::Create(c, expression(u->getSubExpr()), u->getOpcode(),
                                 u->getType(), u->getValueKind(),
                                 u->getObjectKind(), u->getOperatorLoc(),
                                 u->canOverflow(), plain);
  if (auto *b = dyn_cast<BinaryOperator>(e); b && !b->isAssignmentOp())
    return BinaryOperator::Create(
        c, expression(b->getLHS()), expression(b->getRHS()), b->getOpcode(),
        b->getType(), b->getValueKind(), b->getObjectKind(),
        b->getOperatorLoc(), b->getFPFeatures());
  if (auto *o = dyn_cast<ConditionalOperator>(e))
    return new (c)
        ConditionalOperator(expression(o->getCond()), o->getQuestionLoc(),
                            expression(o->getTrueExpr()), o->getColonLoc(),
                            expression(o->getFalseExpr()), o->getType(),
                            o->getValueKind(), o->getObjectKind());
  if (auto *s = dyn_cast<ArraySubscriptExpr>(e))
    return new (c) ArraySubscriptExpr(
        expression(s->getLHS()), expression(s->getRHS()), s->getType(),
        s->getValueKind(), s->getObjectKind(), s->getRBracketLoc());
  if (auto *value = dyn_cast<SubstNonTypeTemplateParmExpr>(e)) {
    Expr::EvalResult number;
    if (value->EvaluateAsInt(number, c)) {
      llvm::SmallString<32> digits;
      number.Val.getInt().toString(digits, 10);
      current->frame->splices[e->getBeginLoc().getRawEncoding()] = {
          e->getEndLoc(), {{"(" + digits.str().str() + ")", nullptr, {}, {}}}};
      return IntegerLiteral::Create(c, number.Val.getInt(), value->getType(),
                                    e->getBeginLoc());
    }
  }
  if (auto *call = dyn_cast<CallExpr>(e);
      call && !isa<CXXOperatorCallExpr, CXXMemberCallExpr>(e)) {
    std::vector<Expr *> arguments;
    for (Expr *argument : call->arguments())
      arguments.push_back(expression(argument));
    return CallExpr::Create(c, call->getCallee(), arguments, call->getType(),
                            call->getValueKind(), call->getRParenLoc(), plain);
  }
  if (auto *ref = dyn_cast<DeclRefExpr>(e)) {
    if (isHidden(ref->getDecl()))
      state.refuse(ref->getBeginLoc(), "reserved-name",
                   "'" + ref->getDecl()->getNameAsString() +
                       "' means another variable where the function is called");
    qualify(ref);
    return e;
  }
  if (isa<IntegerLiteral, FloatingLiteral, CharacterLiteral,
          CXXBoolLiteralExpr>(e))
    return e;
  state.refuse(e->getBeginLoc(), "call-unsupported",
               "a function that is called with this in its body can't be taken "
               "into a kernel");
  return e;
}

} // namespace autokernel
