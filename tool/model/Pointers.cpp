// Pointer expressions as array and offset.

#include "model/RegionState.h"

#include "clang/AST/ASTContext.h"

using namespace clang;

namespace autokernel {

const VarDecl *arrayUnder(const Expr *expr, std::set<const VarDecl *> *passed) {
  for (unsigned steps = 0; steps < 64; ++steps) {
    expr = expr->IgnoreParenCasts();
    if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(expr)) {
      expr = subscript->getBase();
    } else if (const auto *unary = dyn_cast<UnaryOperator>(expr)) {
      expr = unary->getSubExpr();
    } else if (const auto *binary = dyn_cast<BinaryOperator>(expr)) {
      bool left = binary->getLHS()->getType()->isPointerType();
      expr = left ? binary->getLHS() : binary->getRHS();
    } else {
      const VarDecl *v = namedVariable(expr);
      if (v && passed)
        passed->insert(v);
      if (!v || !v->getType()->isPointerType() || !v->hasInit() ||
          !v->isLocalVarDecl())
        return v;
      const VarDecl *target = arrayUnder(v->getInit(), passed);
      return target ? target : v;
    }
  }
  return nullptr;
}

static PointerValue shifted(RegionState &state, PointerValue base, Value by,
                            int64_t scale, int sign) {
  base.rows.clear(); // plain pointer arithmetic may leave the row
  Value amount =
      scale == 1
          ? by
          : state.values.combine(Op::Mul, by, state.values.constant(scale));
  base.offset =
      state.values.combine(sign > 0 ? Op::Add : Op::Sub, base.offset, amount);
  return base;
}

/// `base[by]`, where `base` points to elements of `scale` scalars.
static PointerValue subscripted(RegionState &state, const PointerValue &base,
                                const Value &by, int64_t scale) {
  PointerValue result = shifted(state, base, by, scale, 1);
  bool inRow = base.rows.empty() || base.rows.back().stride > scale;
  bool atStart = base.offset.known && base.offset.poly.isConstant();
  if (inRow && (!base.rows.empty() || atStart)) {
    result.rows = base.rows;
    result.rows.push_back({scale, by});
  }
  return result;
}

/// What a local pointer points to. Into a fixed row: more likely a flat view of
/// the whole array than of that row.
static PointerValue throughVariable(PointerValue target) {
  bool fixed = true;
  for (const RowSubscript &row : target.rows)
    fixed &= row.index.known && row.index.poly.isConstant();
  if (fixed)
    target.rows.clear();
  return target;
}

/// Addresses wrap at 64 bits, and so may offsets of that width.
static Value offsetOf(RegionState &state, const Expr *expr) {
  if (state.unit.context.getTypeSize(expr->getType()) < 64)
    return valueOf(state, expr);
  Value v = rawValueOf(state, expr);
  v.wraps = false;
  return v;
}

bool giveDeclaredLength(RegionState &state, const VarDecl *v) {
  int64_t length = 1;
  QualType type = v->getType().getNonReferenceType();
  while (auto one = lengthOf(state.unit.context, type)) {
    length *= *one;
    type = state.unit.context.getAsArrayType(type)->getElementType();
  }
  if (type->isPointerType() || type->isArrayType())
    return false;
  state.contract.params[state.paramOf.at(v)].extent = autokernel::IndexExpr{
      state.values.constant(length).code, std::to_string(length)};
  return true;
}

std::optional<int64_t> lengthOf(const ASTContext &context, QualType type) {
  if (const ConstantArrayType *array = context.getAsConstantArrayType(type))
    return int64_t(array->getSize().getZExtValue());
  const VariableArrayType *array = context.getAsVariableArrayType(type);
  Expr::EvalResult size;
  if (!array || !array->getSizeExpr() ||
      !array->getSizeExpr()->EvaluateAsInt(size, context))
    return std::nullopt;
  int64_t n = size.Val.getInt().getExtValue();
  return n > 0 ? std::optional(n) : std::nullopt;
}

/// How many scalar elements one step of a pointer to `type` covers.
static int64_t elementsIn(const ASTContext &context, QualType type) {
  int64_t n = 1;
  while (auto length = lengthOf(context, type)) {
    n *= *length;
    type = context.getAsArrayType(type)->getElementType();
  }
  return type->isArrayType() ? 0 : n;
}

std::optional<PointerValue> pointerOf(RegionState &state, const Expr *expr) {
  ASTContext &context = state.unit.context;
  expr = expr->IgnoreParenImpCasts();
  if (const auto *ref = dyn_cast<DeclRefExpr>(expr)) {
    const auto *variable = dyn_cast<VarDecl>(ref->getDecl());
    if (!variable)
      return std::nullopt;
    auto known = state.pointers.find(variable);
    if (known != state.pointers.end())
      return throughVariable(known->second);
    if (state.places.count(variable))
      return PointerValue{variable, state.values.constant(0)};
    bool array = variable->getType().getNonReferenceType()->isArrayType();
    bool pointer = variable->getType()->isPointerType();
    if (array || (pointer && state.paramOf.count(variable)))
      return PointerValue{variable, state.values.constant(0)};
    return std::nullopt;
  }
  if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(expr)) {
    auto base = pointerOf(state, subscript->getBase());
    int64_t scale = elementsIn(context, subscript->getType());
    if (!base || scale == 0)
      return std::nullopt;
    return subscripted(state, *base, offsetOf(state, subscript->getIdx()),
                       scale);
  }
  if (const auto *binary = dyn_cast<BinaryOperator>(expr)) {
    bool add = binary->getOpcode() == BO_Add;
    if (!add && binary->getOpcode() != BO_Sub)
      return std::nullopt;
    const Expr *pointer = binary->getLHS(), *amount = binary->getRHS();
    if (!pointer->getType()->isPointerType())
      std::swap(pointer, amount);
    if (!pointer->getType()->isPointerType())
      return std::nullopt;
    auto base = pointerOf(state, pointer);
    int64_t scale = elementsIn(context, pointer->getType()->getPointeeType());
    if (!base || scale == 0)
      return std::nullopt;
    return shifted(state, *base, offsetOf(state, amount), scale, add ? 1 : -1);
  }
  if (const auto *unary = dyn_cast<UnaryOperator>(expr)) {
    if (unary->getOpcode() == UO_AddrOf || unary->getOpcode() == UO_Deref)
      return pointerOf(state, unary->getSubExpr());
    return std::nullopt;
  }
  if (const auto *cast = dyn_cast<ExplicitCastExpr>(expr)) {
    QualType from = cast->getSubExpr()->getType(), to = cast->getType();
    if (from->isPointerType() && to->isPointerType() &&
        context.hasSameUnqualifiedType(from->getPointeeType(),
                                       to->getPointeeType()))
      return pointerOf(state, cast->getSubExpr());
  }
  return std::nullopt;
}

} // namespace autokernel
