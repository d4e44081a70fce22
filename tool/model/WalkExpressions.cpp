#include "model/Callees.h"
#include "model/MathCalls.h"
#include "model/Walk.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace autokernel {

void Walker::event(ScalarEvent::Kind kind, const VarDecl *v, SourceLocation at,
                   const std::string &op) {
  if (!state.assigned.count(v) && !state.inside.count(v))
    return;
  if (state.inductionNames.count(v))
    return; // a local of the iteration
  unsigned entry = loopEntryDepth.empty() ? 0 : loopEntryDepth.back();
  state.events.push_back(
      {kind, v, op, path, conditionDepth > entry, at, scope, {}, inStore});
}

/// Keeps what the last event, a write, assigns.
void Walker::rememberValue(const VarDecl *v, const Expr *value) {
  if (state.events.empty() || state.events.back().variable != v ||
      !v->getType()->isIntegerType())
    return;
  Value assigned = valueOf(state, value);
  if (assigned.known)
    state.events.back().value = assigned;
}

void Walker::noteTypedefs(TypeSourceInfo *info) {
  if (!info)
    return;
  QualType type = info->getType();
  while (type->isPointerType() || type->isArrayType())
    type = type->isPointerType()
               ? type->getPointeeType()
               : QualType(type->getArrayElementTypeNoTypeQual(), 0);
  if (const auto *alias = type->getAs<TypedefType>())
    state.typedefs.insert(alias->getDecl());
}

void Walker::expression(const Expr *e) {
  if (state.failed() || !e)
    return;
  if (e->isTypeDependent() || e->isValueDependent()) {
    state.refuse(e->getBeginLoc(), "template-region",
                 "the region depends on template parameters");
    return;
  }
  e = e->IgnoreParens();
  if (const auto *full = dyn_cast<FullExpr>(e))
    return expression(full->getSubExpr());
  if (const auto *temporary = dyn_cast<MaterializeTemporaryExpr>(e))
    return expression(temporary->getSubExpr());
  if (const auto *b = dyn_cast<BinaryOperator>(e))
    return binary(b);
  if (const auto *u = dyn_cast<UnaryOperator>(e))
    return unary(u);
  if (const auto *c = dyn_cast<CastExpr>(e))
    return cast(c);
  if (isa<ArraySubscriptExpr>(e))
    return access(e, false, false, "");
  if (const auto *r = dyn_cast<DeclRefExpr>(e))
    return reference(r);
  if (const auto *c = dyn_cast<ConditionalOperator>(e)) {
    expression(c->getCond());
    under(c->getCond(), true, [&] { expression(c->getTrueExpr()); });
    under(c->getCond(), false, [&] { expression(c->getFalseExpr()); });
    return;
  }
  if (isa<CXXOperatorCallExpr, CXXMemberCallExpr>(e)) {
    state.refuse(e->getBeginLoc(), "call-unsupported",
                 "calls of member functions and overloaded operators are not "
                 "taken yet");
    return;
  }
  if (const auto *c = dyn_cast<CallExpr>(e))
    return call(c);
  if (const auto *list = dyn_cast<InitListExpr>(e)) {
    for (const Expr *init : list->inits())
      expression(init);
    return;
  }
  if (isa<IntegerLiteral, FloatingLiteral, CharacterLiteral, CXXBoolLiteralExpr,
          UnaryExprOrTypeTraitExpr, GNUNullExpr, CXXNullPtrLiteralExpr,
          ImplicitValueInitExpr, SubstNonTypeTemplateParmExpr>(e))
    return;
  state.refuse(e->getBeginLoc(), "unsupported-expression",
               std::string("a ") + e->getStmtClassName() +
                   " can't be taken into a kernel yet");
}

void Walker::binary(const BinaryOperator *e) {
  if (e->isAssignmentOp())
    return assign(e->getLHS(), e->getRHS(), e->isCompoundAssignmentOp());
  if (e->isLogicalOp()) {
    expression(e->getLHS());
    return under(e->getLHS(), e->getOpcode() == BO_LAnd,
                 [&] { expression(e->getRHS()); });
  }
  if (e->getOpcode() == BO_Comma || e->isPtrMemOp()) {
    state.refuse(e->getOperatorLoc(), "unsupported-expression",
                 "the operator '" + e->getOpcodeStr().str() +
                     "' can't be taken into a kernel");
    return;
  }
  if (e->isComparisonOp() && e->getLHS()->getType()->isPointerType())
    return pointerComparison(e);
  expression(e->getLHS());
  expression(e->getRHS());
}

void Walker::pointerComparison(const BinaryOperator *e) {
  const Expr *pointer = e->getLHS(), *null = e->getRHS();
  ASTContext &context = state.unit.context;
  auto isNull = [&](const Expr *x) {
    return x->isNullPointerConstant(context, Expr::NPC_ValueDependentIsNull) !=
           Expr::NPCK_NotNull;
  };
  if (isNull(pointer))
    std::swap(pointer, null);
  const VarDecl *v = namedVariable(pointer);
  if (!v || !isNull(null) || !e->isEqualityOp()) {
    state.refuse(e->getOperatorLoc(), "pointer-escapes",
                 "pointers can only be compared with null in a region");
    return;
  }
  state.comparedWithNull.insert(v);
  state.text.replaceRange(state.edits, null->getSourceRange(), "nullptr");
}

void Walker::assign(const Expr *target, const Expr *value, bool reads) {
  expression(value);
  write(target, reads);
  if (const VarDecl *v = scalarTarget(state, target); v && !reads)
    rememberValue(v, value);
}

void Walker::write(const Expr *target, bool reads) {
  target = target->IgnoreParenImpCasts();
  if (const VarDecl *v = scalarTarget(state, target)) {
    if (v->getType()->isPointerType()) {
      state.refuse(target->getBeginLoc(), "pointer-changes",
                   "the pointer '" + v->getNameAsString() +
                       "' is assigned inside the region");
      return;
    }
    if (reads)
      event(ScalarEvent::Read, v, target->getBeginLoc());
    event(ScalarEvent::Write, v, target->getBeginLoc());
    return;
  }
  if (reads)
    access(target, false, false, "");
  access(target, true, false, "");
}

/// `k++` inside of a store.
bool Walker::advance(const UnaryOperator *e) {
  const VarDecl *v = scalarTarget(state, e->getSubExpr());
  if (!v || !inStore || scope.size() != statementScope ||
      !v->getType().getNonReferenceType()->isIntegerType())
    return false;
  event(ScalarEvent::Read, v, e->getBeginLoc());
  event(ScalarEvent::Update, v, e->getBeginLoc(), "+");
  noteAdvance(v, {e->getSubExpr(), nullptr, "+", e->isDecrementOp(), {}});
  return true;
}

void Walker::unary(const UnaryOperator *e) {
  if (e->isIncrementDecrementOp()) {
    if (!advance(e))
      write(e->getSubExpr(), true);
    return;
  }
  if (e->getOpcode() == UO_Deref)
    return access(e, false, false, "");
  if (e->getOpcode() == UO_AddrOf) {
    if (!pointerOf(state, e))
      state.refuse(e->getBeginLoc(), "pointer-escapes",
                   "the address taken here is not an element of an array");
    else if (const auto *s =
                 dyn_cast<ArraySubscriptExpr>(e->getSubExpr()->IgnoreParens()))
      expression(s->getIdx());
    return;
  }
  if (e->getOpcode() == UO_Real || e->getOpcode() == UO_Imag ||
      e->getOpcode() == UO_Extension) {
    state.refuse(e->getBeginLoc(), "unsupported-expression",
                 "complex numbers are not taken yet");
    return;
  }
  expression(e->getSubExpr());
}

/// Reads that happen in the subscripts of `e`.
static std::vector<const Expr *> subscriptsOf(const Expr *e) {
  std::vector<const Expr *> out;
  e = e->IgnoreParenImpCasts();
  while (true) {
    if (const auto *s = dyn_cast<ArraySubscriptExpr>(e)) {
      out.push_back(s->getIdx());
      e = s->getBase()->IgnoreParenImpCasts();
    } else if (const auto *u = dyn_cast<UnaryOperator>(e)) {
      e = u->getSubExpr()->IgnoreParenImpCasts();
    } else if (const auto *b = dyn_cast<BinaryOperator>(e)) {
      bool left = b->getLHS()->getType()->isPointerType() ||
                  b->getLHS()->getType()->isArrayType();
      out.push_back(left ? b->getRHS() : b->getLHS());
      e = (left ? b->getLHS() : b->getRHS())->IgnoreParenImpCasts();
    } else {
      return out;
    }
  }
}

void Walker::access(const Expr *e, bool writes, bool accumulates,
                    const std::string &op) {
  for (const Expr *index : subscriptsOf(e))
    expression(index);
  const Expr *place = e;
  if (const auto *u = dyn_cast<UnaryOperator>(e->IgnoreParens()))
    place = u->getOpcode() == UO_Deref ? u->getSubExpr() : e;
  auto pointer = pointerOf(state, place);
  if (!pointer) {
    state.refuse(e->getBeginLoc(), "pointer-escapes",
                 "which array '" + state.text.text(e->getSourceRange()) +
                     "' belongs to can't be told");
    return;
  }
  if (!elementType(state.unit.context, e->getType())) {
    if (e->getType()->isArrayType())
      return; // a row; its elements are accesses of their own
    state.refuse(e->getBeginLoc(),
                 e->getType().isVolatileQualified() ? "volatile-or-atomic"
                                                    : "unsupported-type",
                 "elements of type '" + e->getType().getAsString() +
                     "' can't be taken into a kernel yet");
    return;
  }
  AccessFact fact;
  fact.array = pointer->base;
  fact.isLocal = state.inside.count(pointer->base);
  fact.writes = writes;
  fact.accumulates = accumulates;
  fact.op = op;
  unsigned entry = loopEntryDepth.empty() ? 0 : loopEntryDepth.back();
  fact.conditional = conditionDepth > entry;
  fact.access = {pointer->offset, path, conditions, pointer->rows};
  guardRows(fact);
  fact.text = state.text.text(e->getSourceRange());
  fact.place = e->getBeginLoc();
  fact.scope = scope;
  noteCursor(fact, e);
  state.accesses.push_back(std::move(fact));
}

void Walker::noteCursor(AccessFact &fact, const Expr *e) {
  const auto *s = dyn_cast<ArraySubscriptExpr>(e->IgnoreParens());
  if (!s || namedVariable(s->getBase()) != fact.array)
    return;
  const Expr *index = s->getIdx()->IgnoreParenImpCasts();
  if (const auto *u = dyn_cast<UnaryOperator>(index);
      u && u->isIncrementOp() && scope.size() == statementScope) {
    fact.advances = true;
    index = u->getSubExpr();
  }
  fact.cursor = scalarTarget(state, index);
}

/// A[i][j] with j outside of its row is undefined, also where A[0][i * n + j]
/// exists. Said of accesses that always happen.
void Walker::guardRows(const AccessFact &fact) {
  if (fact.conditional || !conditions.empty() || fact.isLocal)
    return;
  const std::vector<RowSubscript> &rows = fact.access.rows;
  DependenceTester tester(state.values, state.loops);
  for (size_t k = 1; k < rows.size(); ++k) {
    const Value &index = rows[k].index;
    int64_t length = rows[k - 1].stride / rows[k].stride;
    Polynomial last = Polynomial::constant(length - 1);
    if (!index.known || (tester.isNonNegative(index.poly, fact.access) &&
                         tester.isNonNegative(last - index.poly, fact.access)))
      continue;
    RangeGuard guard;
    guard.value.code = index.code;
    guard.below.code = state.values.constant(length).code;
    guard.path = fact.access.path;
    guard.why = "subscripts stay inside their rows";
    addGuard(state, guard);
  }
}

void Walker::reference(const DeclRefExpr *e) {
  if (const auto *v = dyn_cast<VarDecl>(e->getDecl())) {
    if (state.places.count(v))
      return access(e, false, false, "");
    QualType type = v->getType().getNonReferenceType();
    if (!type->isPointerType() && !type->isArrayType())
      event(ScalarEvent::Read, v, e->getBeginLoc());
    return;
  }
  if (isa<EnumConstantDecl>(e->getDecl()))
    return;
  state.refuse(e->getBeginLoc(), "unsupported-expression",
               "'" + e->getNameInfo().getAsString() +
                   "' can't be used in a kernel");
}

void Walker::cast(const CastExpr *e) {
  if (const auto *written = dyn_cast<ExplicitCastExpr>(e))
    noteTypedefs(written->getTypeInfoAsWritten());
  QualType type = e->getType();
  switch (e->getCastKind()) {
  case CK_NullToPointer:
  case CK_ToVoid:
    return;
  case CK_PointerToBoolean:
    if (const VarDecl *v = namedVariable(e->getSubExpr()))
      state.comparedWithNull.insert(v);
    return;
  default:
    break;
  }
  if (type->isPointerType() || type->isArrayType() ||
      e->getCastKind() == CK_LValueToRValue)
    return expression(e->getSubExpr());
  if (!elementType(state.unit.context, type)) {
    state.refuse(e->getBeginLoc(), "unsupported-type",
                 "a value of type '" + type.getAsString() +
                     "' can't be taken into a kernel yet");
    return;
  }
  expression(e->getSubExpr());
}

void Walker::call(const CallExpr *e) {
  const FunctionDecl *callee = e->getDirectCallee();
  if (!callee) {
    state.refuse(e->getBeginLoc(), "call-unsupported",
                 "a call through a pointer can't be taken into a kernel");
    return;
  }
  if (auto math = resolveMathCall(e); !math || !math->isConstant)
    for (const Expr *argument : e->arguments())
      expression(argument);
  if (!translateMathCall(state, e))
    takeCallee(state, e);
}

} // namespace autokernel
