// Integer expressions as Values, pointer expressions as array and offset.

#include "model/RegionState.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace autokernel {

std::optional<ElementType> elementType(const ASTContext &context,
                                       QualType type) {
  type = type.getCanonicalType().getUnqualifiedType();
  const auto *builtin = type->getAs<BuiltinType>();
  if (!builtin || type.isVolatileQualified())
    return std::nullopt;
  ElementType result;
  result.bits = context.getTypeSize(type);
  PrintingPolicy policy(context.getLangOpts());
  policy.Bool = true;
  result.spelling = type.getAsString(policy);
  if (builtin->getKind() == BuiltinType::Float ||
      builtin->getKind() == BuiltinType::Double)
    result.kind = ElementType::Float;
  else if (builtin->isBooleanType())
    result.kind = ElementType::Bool;
  else if (builtin->isSignedInteger())
    result.kind = ElementType::Int;
  else if (builtin->isUnsignedInteger())
    result.kind = ElementType::UInt;
  else
    return std::nullopt;
  if (result.bits > 64)
    return std::nullopt;
  return result;
}

const VarDecl *namedVariable(const Expr *expr) {
  expr = expr->IgnoreParenImpCasts();
  if (const auto *ref = dyn_cast<DeclRefExpr>(expr))
    return dyn_cast<VarDecl>(ref->getDecl());
  return nullptr;
}

static Value variableValue(RegionState &state, const VarDecl *variable) {
  auto it = state.integers.find(variable);
  if (it != state.integers.end())
    return it->second;
  auto param = state.paramOf.find(variable);
  if (param != state.paramOf.end() && !state.assigned.count(variable)) {
    state.sizeLike.insert(variable);
    return state.values.param(param->second);
  }
  return {};
}

static Value elementValue(RegionState &state, const Expr *expr) {
  std::optional<PointerValue> place;
  if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(expr)) {
    place = pointerOf(state, subscript);
  } else if (const auto *unary = dyn_cast<UnaryOperator>(expr)) {
    if (unary->getOpcode() == UO_Deref)
      place = pointerOf(state, unary->getSubExpr());
  }
  if (!place || !state.paramOf.count(place->base))
    return {};
  state.usedAsIndex.insert(place->base);
  return state.values.element(state.paramOf[place->base], place->offset);
}

static std::optional<Op> opOf(BinaryOperatorKind kind) {
  switch (kind) {
  case BO_Add:
    return Op::Add;
  case BO_Sub:
    return Op::Sub;
  case BO_Mul:
    return Op::Mul;
  case BO_Div:
    return Op::Div;
  case BO_Rem:
    return Op::Rem;
  case BO_Shl:
    return Op::Shl;
  case BO_Shr:
    return Op::Shr;
  case BO_And:
    return Op::And;
  default:
    return std::nullopt;
  }
}

/// std::min and std::max on integers.
static Value minMaxValue(RegionState &state, const CallExpr *call) {
  const FunctionDecl *callee = call->getDirectCallee();
  if (!callee || !callee->getIdentifier() || call->getNumArgs() != 2)
    return {};
  llvm::StringRef name = callee->getName();
  if (!callee->isInStdNamespace() || (name != "min" && name != "max"))
    return {};
  return state.values.combine(name == "min" ? Op::Min : Op::Max,
                              valueOf(state, call->getArg(0)),
                              valueOf(state, call->getArg(1)));
}

/// `a < b ? a : b` and its kin.
static Value conditionalValue(RegionState &state,
                              const ConditionalOperator *expr) {
  Value yes = valueOf(state, expr->getTrueExpr());
  Value no = valueOf(state, expr->getFalseExpr());
  const auto *test =
      dyn_cast<BinaryOperator>(expr->getCond()->IgnoreParenImpCasts());
  if (!test || !test->isRelationalOp() || !yes.known || !no.known)
    return {};
  Value left = valueOf(state, test->getLHS());
  Value right = valueOf(state, test->getRHS());
  bool less = test->getOpcode() == BO_LT || test->getOpcode() == BO_LE;
  if (left.known && right.known && left.code.size() && right.code.size()) {
    if (left.poly == yes.poly && right.poly == no.poly)
      return state.values.combine(less ? Op::Min : Op::Max, yes, no);
    if (left.poly == no.poly && right.poly == yes.poly)
      return state.values.combine(less ? Op::Max : Op::Min, yes, no);
  }
  return {};
}

/// Casts that keep every value which an index can have.
static bool isHarmlessCast(const ASTContext &context, const CastExpr *cast) {
  QualType from = cast->getSubExpr()->getType(), to = cast->getType();
  if (!from->isIntegralOrEnumerationType() || !to->isIntegerType())
    return false;
  return context.getTypeSize(to) >= 32 ||
         context.getTypeSize(to) >= context.getTypeSize(from);
}

Value valueOf(RegionState &state, const Expr *expr) {
  expr = expr->IgnoreParens();
  ASTContext &context = state.unit.context;
  if (!expr->getType()->isIntegralOrEnumerationType())
    return {};
  if (expr->isValueDependent() || expr->isTypeDependent())
    return {};
  Expr::EvalResult result;
  if (!isa<DeclRefExpr>(expr) && expr->EvaluateAsInt(result, context))
    return state.values.constant(result.Val.getInt().getExtValue());
  if (const auto *cast = dyn_cast<CastExpr>(expr)) {
    if (cast->getCastKind() == CK_LValueToRValue ||
        isHarmlessCast(context, cast))
      return valueOf(state, cast->getSubExpr());
    return {};
  }
  if (const auto *ref = dyn_cast<DeclRefExpr>(expr)) {
    if (expr->EvaluateAsInt(result, context))
      return state.values.constant(result.Val.getInt().getExtValue());
    if (const auto *variable = dyn_cast<VarDecl>(ref->getDecl()))
      return variableValue(state, variable);
    return {};
  }
  if (const auto *binary = dyn_cast<BinaryOperator>(expr)) {
    if (auto op = opOf(binary->getOpcode()))
      return state.values.combine(*op, valueOf(state, binary->getLHS()),
                                  valueOf(state, binary->getRHS()));
    return {};
  }
  if (const auto *unary = dyn_cast<UnaryOperator>(expr)) {
    if (unary->getOpcode() == UO_Minus)
      return state.values.negate(valueOf(state, unary->getSubExpr()));
    if (unary->getOpcode() == UO_Plus)
      return valueOf(state, unary->getSubExpr());
  }
  if (const auto *conditional = dyn_cast<ConditionalOperator>(expr))
    return conditionalValue(state, conditional);
  if (const auto *call = dyn_cast<CallExpr>(expr))
    return minMaxValue(state, call);
  return elementValue(state, expr);
}

static PointerValue shifted(RegionState &state, PointerValue base, Value by,
                            int64_t scale, int sign) {
  Value amount =
      scale == 1
          ? by
          : state.values.combine(Op::Mul, by, state.values.constant(scale));
  base.offset =
      state.values.combine(sign > 0 ? Op::Add : Op::Sub, base.offset, amount);
  return base;
}

/// How many scalar elements one step of a pointer to `type` covers.
static int64_t elementsIn(const ASTContext &context, QualType type) {
  int64_t n = 1;
  while (const ConstantArrayType *array =
             context.getAsConstantArrayType(type)) {
    n *= int64_t(array->getSize().getZExtValue());
    type = array->getElementType();
  }
  return type->isVariableArrayType() ? 0 : n;
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
      return known->second;
    bool array = variable->getType()->isArrayType();
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
    return shifted(state, *base, valueOf(state, subscript->getIdx()), scale, 1);
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
    return shifted(state, *base, valueOf(state, amount), scale, add ? 1 : -1);
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

static void comparison(RegionState &state, const BinaryOperator *test,
                       bool truth, std::vector<Value> &out) {
  Value l = valueOf(state, test->getLHS()), r = valueOf(state, test->getRHS());
  if (!l.known || !r.known)
    return;
  ValueTable &v = state.values;
  auto atLeast = [&](const Value &a, const Value &b, int64_t more) {
    out.push_back(
        v.combine(Op::Sub, v.combine(Op::Sub, a, b), v.constant(more)));
  };
  BinaryOperatorKind kind = test->getOpcode();
  if (!truth)
    kind = BinaryOperator::negateComparisonOp(kind);
  if (kind == BO_LT)
    atLeast(r, l, 1);
  else if (kind == BO_LE)
    atLeast(r, l, 0);
  else if (kind == BO_GT)
    atLeast(l, r, 1);
  else if (kind == BO_GE)
    atLeast(l, r, 0);
  else if (kind == BO_EQ) {
    atLeast(l, r, 0);
    atLeast(r, l, 0);
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
