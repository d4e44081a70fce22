// Tests of integers as conditions that bound subscripts.

#include "model/RegionState.h"

#include "clang/AST/ASTContext.h"

using namespace clang;

namespace autokernel {

/// `value` of an unsigned comparison, as the signed number it was cast from.
static Value beforeCast(RegionState &state, const Expr *expr) {
  const auto *cast = dyn_cast<CastExpr>(expr->IgnoreParens());
  while (cast && cast->getCastKind() == CK_NoOp)
    cast = dyn_cast<CastExpr>(cast->getSubExpr()->IgnoreParens());
  if (!cast || cast->getCastKind() != CK_IntegralCast)
    return {};
  QualType from = cast->getSubExpr()->getType();
  ASTContext &context = state.unit.context;
  if (!from->isSignedIntegerType() ||
      context.getTypeSize(from) != context.getTypeSize(cast->getType()))
    return {};
  return valueOf(state, cast->getSubExpr(), Exactness::Likely);
}

namespace {

struct Test {
  RegionState &state;
  std::vector<Value> &out;

  /// a - b - more >= 0
  void atLeast(const Value &a, const Value &b, int64_t more) {
    ValueTable &v = state.values;
    out.push_back(
        v.combine(Op::Sub, v.combine(Op::Sub, a, b), v.constant(more)));
  }

  /// (unsigned)x < m: as m fits the signed type, x can't be negative.
  bool castBelow(const Expr *low, const Value &high, int64_t more) {
    Value x = beforeCast(state, low);
    if (!x.known || !high.known)
      return false;
    Value limit = state.values.constant(
        (int64_t(1) << (state.unit.context.getTypeSize(low->getType()) - 1)));
    DependenceTester tester(state.values, state.loops);
    if (state.unit.context.getTypeSize(low->getType()) > 32 ||
        !tester.isNonNegative(limit.poly - high.poly,
                              {high, state.path, state.conditions}))
      return false;
    atLeast(x, state.values.constant(0), 0);
    atLeast(high, x, more);
    return true;
  }

  void below(const Expr *low, const Expr *high, int64_t more) {
    Value l = valueOf(state, low, Exactness::Likely);
    Value h = valueOf(state, high, Exactness::Likely);
    if (l.known && h.known)
      atLeast(h, l, more);
    else
      castBelow(low, h, more);
  }
};

} // namespace

static void comparison(RegionState &state, const BinaryOperator *test,
                       bool truth, std::vector<Value> &out) {
  const Expr *l = test->getLHS(), *r = test->getRHS();
  BinaryOperatorKind kind = test->getOpcode();
  if (!truth)
    kind = BinaryOperator::negateComparisonOp(kind);
  Test conditions{state, out};
  if (kind == BO_LT)
    conditions.below(l, r, 1);
  else if (kind == BO_LE)
    conditions.below(l, r, 0);
  else if (kind == BO_GT)
    conditions.below(r, l, 1);
  else if (kind == BO_GE)
    conditions.below(r, l, 0);
  else if (kind == BO_EQ) {
    conditions.below(l, r, 0);
    conditions.below(r, l, 0);
  }
}

void conditionsOf(RegionState &state, const Expr *expr, bool truth,
                  std::vector<Value> &out) {
  expr = expr->IgnoreParenImpCasts();
  if (const auto *unary = dyn_cast<UnaryOperator>(expr))
    if (unary->getOpcode() == UO_LNot)
      return conditionsOf(state, unary->getSubExpr(), !truth, out);
  const auto *binary = dyn_cast<BinaryOperator>(expr);
  if (!binary)
    return;
  if (binary->getOpcode() == (truth ? BO_LAnd : BO_LOr)) {
    conditionsOf(state, binary->getLHS(), truth, out);
    conditionsOf(state, binary->getRHS(), truth, out);
  } else if (binary->isComparisonOp() &&
             binary->getLHS()->getType()->isIntegerType()) {
    comparison(state, binary, truth, out);
  }
}

} // namespace autokernel
