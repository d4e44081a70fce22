// Integer expressions as Values.
//
// Unsigned arithmetic and casts give values that are right modulo 2^bits only
// (Value::wraps). They are kept as they are while that does no harm and made
// exact where it would: by proof, by a guard, or as an opaque value.

#include "model/RegionState.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace autokernel {

/// The integer that an enumeration computes as; null where it has another size.
static QualType integerOf(const ASTContext &context, const EnumType &type) {
  const EnumDecl *decl = type.getDecl()->getDefinition();
  if (!decl)
    return {};
  // Without a fixed type it is stored unsigned and may still promote to int.
  QualType integer =
      decl->isFixed() ? decl->getIntegerType() : decl->getPromotionType();
  bool sameSize =
      !integer.isNull() && context.getTypeSize(integer) ==
                               context.getTypeSize(decl->getIntegerType());
  return sameSize ? integer : QualType();
}

std::optional<ElementType> elementType(const ASTContext &context,
                                       QualType type) {
  if (const auto *enumeration = type->getAs<EnumType>())
    type = integerOf(context, *enumeration);
  if (type.isNull())
    return std::nullopt;
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

const VarDecl *scalarTarget(const RegionState &state, const Expr *expr) {
  const VarDecl *v = namedVariable(expr);
  return state.places.count(v) ? nullptr : v;
}

/// What the last assignment before the place where the walk is gave to `v`,
/// where it always happens before.
static std::optional<Value> reachingValue(const RegionState &state,
                                          const VarDecl *v) {
  for (size_t i = state.events.size(); i-- > 0;) {
    const ScalarEvent &e = state.events[i];
    if (e.variable != v || e.kind == ScalarEvent::Read)
      continue;
    bool always =
        e.scope.size() <= state.scope.size() &&
        std::equal(e.scope.begin(), e.scope.end(), state.scope.begin());
    bool entered = false; // a loop that may assign it again, further down
    for (const RegionState::Around &around : state.around)
      entered |=
          around.scope >= e.scope.size() && isAssignedIn(around.statement, v);
    return always && !entered && e.kind == ScalarEvent::Write ? e.value
                                                              : std::nullopt;
  }
  return std::nullopt;
}

namespace {

class Reader {
public:
  Reader(RegionState &state, Exactness how) : state(state), how(how) {}

  /// Right modulo 2^bits of the expression's type.
  Value raw(const Expr *expr);
  Value exact(const Expr *expr) {
    return exactly(state, raw(expr), expr->getType(), how);
  }

private:
  Value constant(const llvm::APSInt &number) const;
  Value variable(const VarDecl *v);
  Value element(const Expr *expr);
  Value cast(const CastExpr *expr);
  Value binary(const BinaryOperator *expr);
  Value conditional(const ConditionalOperator *expr);
  Value minMax(const CallExpr *call);
  Value operation(const Expr *expr);

  unsigned bitsOf(QualType type) const {
    return state.unit.context.getTypeSize(type);
  }
  /// Overflow has a meaning.
  bool isModular(QualType type) const {
    return type->isUnsignedIntegerOrEnumerationType() ||
           state.unit.context.getLangOpts().isSignedOverflowDefined();
  }

  RegionState &state;
  Exactness how;
};

Value Reader::constant(const llvm::APSInt &number) const {
  Value v =
      state.values.constant(int64_t(number.extOrTrunc(64).getZExtValue()));
  v.wraps = !number.isRepresentableByInt64();
  return v;
}

Value Reader::variable(const VarDecl *v) {
  auto it = state.integers.find(v);
  if (it != state.integers.end())
    return it->second;
  if (auto reaching = reachingValue(state, v))
    return *reaching;
  auto param = state.paramOf.find(v);
  if (param == state.paramOf.end() || state.assigned.count(v))
    return {};
  if (state.places.count(v)) {
    state.usedAsIndex.insert(v);
    return state.values.element(param->second, state.values.constant(0));
  }
  state.sizeLike.insert(v);
  return state.values.param(param->second);
}

Value Reader::element(const Expr *expr) {
  std::optional<PointerValue> place;
  if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(expr)) {
    place = pointerOf(state, subscript);
  } else if (const auto *unary = dyn_cast<UnaryOperator>(expr)) {
    if (unary->getOpcode() == UO_Deref)
      place = pointerOf(state, unary->getSubExpr());
  }
  // What the region itself writes changes while it runs.
  if (!place || !state.paramOf.count(place->base) ||
      state.writtenArrays.count(place->base))
    return {};
  state.usedAsIndex.insert(place->base);
  return state.values.element(state.paramOf[place->base], place->offset);
}

Value Reader::cast(const CastExpr *expr) {
  const Expr *from = expr->getSubExpr();
  if (expr->getCastKind() == CK_LValueToRValue ||
      expr->getCastKind() == CK_NoOp)
    return raw(from);
  if (expr->getCastKind() != CK_IntegralCast ||
      expr->getType()->isBooleanType())
    return {};
  unsigned wide = bitsOf(expr->getType()), narrow = bitsOf(from->getType());
  bool fromSigned = from->getType()->isSignedIntegerOrEnumerationType();
  bool toSigned = expr->getType()->isSignedIntegerOrEnumerationType();
  Value v = wide > narrow ? exact(from) : raw(from);
  v.wraps |= wide < narrow || (wide == narrow && fromSigned != toSigned) ||
             (wide > narrow && fromSigned && !toSigned);
  return v;
}

std::optional<Op> opOf(BinaryOperatorKind kind) {
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

Value Reader::binary(const BinaryOperator *expr) {
  auto op = opOf(expr->getOpcode());
  if (!op)
    return {};
  const Expr *left = expr->getLHS(), *right = expr->getRHS();
  ValueTable &values = state.values;
  Value r = *op == Op::Shl ? exact(right) : raw(right);
  bool masks = *op == Op::And && r.known && r.poly.isConstant() &&
               r.poly.constantTerm() >= 0;
  if (*op == Op::Add || *op == Op::Sub || *op == Op::Mul || *op == Op::Shl) {
    Value l = raw(left), v = values.combine(*op, l, r);
    v.wraps |= l.wraps || isModular(expr->getType());
    return v;
  }
  Value v = values.combine(*op, masks ? raw(left) : exact(left),
                           masks ? r : exact(right));
  v.wraps = false;
  return v;
}

/// std::min, std::max and std::clamp on integers.
Value Reader::minMax(const CallExpr *call) {
  const FunctionDecl *callee = call->getDirectCallee();
  if (!callee || !callee->getIdentifier() || !callee->isInStdNamespace())
    return {};
  llvm::StringRef name = callee->getName();
  if (name == "clamp" && call->getNumArgs() == 3)
    return state.values.combine(Op::Min, exact(call->getArg(2)),
                                state.values.combine(Op::Max,
                                                     exact(call->getArg(0)),
                                                     exact(call->getArg(1))));
  if (call->getNumArgs() != 2 || (name != "min" && name != "max"))
    return {};
  return state.values.combine(name == "min" ? Op::Min : Op::Max,
                              exact(call->getArg(0)), exact(call->getArg(1)));
}

/// `a < b ? a : b` and its kin.
Value Reader::conditional(const ConditionalOperator *expr) {
  Value yes = exact(expr->getTrueExpr()), no = exact(expr->getFalseExpr());
  const auto *test =
      dyn_cast<BinaryOperator>(expr->getCond()->IgnoreParenImpCasts());
  if (!test || !test->isRelationalOp() || !yes.known || !no.known)
    return {};
  Value left = exact(test->getLHS()), right = exact(test->getRHS());
  bool less = test->getOpcode() == BO_LT || test->getOpcode() == BO_LE;
  if (!left.known || !right.known)
    return {};
  if (left.poly == yes.poly && right.poly == no.poly)
    return state.values.combine(less ? Op::Min : Op::Max, yes, no);
  if (left.poly == no.poly && right.poly == yes.poly)
    return state.values.combine(less ? Op::Max : Op::Min, yes, no);
  return {};
}

Value Reader::operation(const Expr *expr) {
  if (const auto *c = dyn_cast<CastExpr>(expr))
    return cast(c);
  if (const auto *b = dyn_cast<BinaryOperator>(expr))
    return binary(b);
  if (const auto *c = dyn_cast<ConditionalOperator>(expr))
    return conditional(c);
  if (const auto *c = dyn_cast<CallExpr>(expr))
    return minMax(c);
  if (const auto *u = dyn_cast<UnaryOperator>(expr)) {
    if (u->getOpcode() == UO_Plus)
      return raw(u->getSubExpr());
    if (u->getOpcode() == UO_Minus) {
      Value v = state.values.negate(raw(u->getSubExpr()));
      v.wraps |= isModular(expr->getType());
      return v;
    }
  }
  return element(expr);
}

Value Reader::raw(const Expr *expr) {
  expr = expr->IgnoreParens();
  if (const auto *full = dyn_cast<FullExpr>(expr))
    return raw(full->getSubExpr());
  if (const auto *temporary = dyn_cast<MaterializeTemporaryExpr>(expr))
    return raw(temporary->getSubExpr());
  if (!expr->getType()->isIntegralOrEnumerationType() ||
      expr->isValueDependent() || expr->isTypeDependent())
    return {};
  Expr::EvalResult result;
  if (expr->EvaluateAsInt(result, state.unit.context))
    return constant(result.Val.getInt());
  if (const auto *ref = dyn_cast<DeclRefExpr>(expr)) {
    const auto *v = dyn_cast<VarDecl>(ref->getDecl());
    return v ? variable(v) : Value();
  }
  return operation(expr);
}

bool isWithin(const RegionState &state, const Value &v, Bounds b) {
  DependenceTester tester(state.values, state.loops);
  TestedAccess here{v, state.path, state.conditions};
  Polynomial lo = Polynomial::constant(b.lo), hi = Polynomial::constant(b.hi);
  return tester.isNonNegative(v.poly - lo, here) &&
         (b.hi == INT64_MAX || tester.isNonNegative(hi - v.poly, here));
}

/// A difference is often meant to wrap, `(unsigned)(i - 1) < n`.
bool isLikelyInRange(const RegionState &state, const Value &v) {
  for (const auto &[m, c] : v.poly.terms) {
    if (c < 0)
      return false;
    for (const Atom &a : m)
      if (a.kind == Atom::Opaque && state.values.opaque(a.number).fromData)
        return false;
  }
  return true;
}

/// As far as the numbers are concerned; enumerations too.
ElementType numberType(const ASTContext &context, QualType type) {
  if (type->isBooleanType())
    return {ElementType::Bool, 8, ""};
  bool isSigned = type->isSignedIntegerOrEnumerationType();
  return {isSigned ? ElementType::Int : ElementType::UInt,
          unsigned(context.getTypeSize(type)), ""};
}

} // namespace

/// Of unsigned 64-bit types the numbers that int64_t holds.
std::optional<Bounds> boundsOf(const ElementType &type) {
  if (type.kind == ElementType::Bool)
    return Bounds{0, 1};
  if (type.kind == ElementType::Float || type.bits > 64)
    return std::nullopt;
  bool isSigned = type.kind == ElementType::Int;
  if (type.bits == 64)
    return isSigned ? std::nullopt : std::optional(Bounds{0, INT64_MAX});
  int64_t span = int64_t(1) << (type.bits - 1);
  return isSigned ? Bounds{-span, span - 1} : Bounds{0, 2 * span - 1};
}

void addGuard(RegionState &state, RangeGuard guard) {
  auto same = [](const std::vector<Instr> &a, const std::vector<Instr> &b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Instr &x, const Instr &y) {
                        return x.op == y.op && x.value == y.value;
                      });
  };
  for (const RangeGuard &g : state.contract.guards)
    if (same(g.value.code, guard.value.code) &&
        same(g.below.code, guard.below.code) && g.path == guard.path)
      return;
  state.contract.guards.push_back(std::move(guard));
}

Value exactly(RegionState &state, Value v, QualType type, Exactness how) {
  if (!v.known || !v.wraps)
    return v;
  v.wraps = false;
  auto bounds = boundsOf(numberType(state.unit.context, type));
  if (!bounds || isWithin(state, v, *bounds))
    return v;
  unsigned bits = state.unit.context.getTypeSize(type);
  if (bits < 32)
    return state.values.truncated(v, bits,
                                  type->isSignedIntegerOrEnumerationType());
  if (how == Exactness::Likely && !isLikelyInRange(state, v))
    return {};
  ValueTable &values = state.values;
  Value above = values.combine(Op::Sub, v, values.constant(bounds->lo));
  Value below = values.constant(
      bounds->hi == INT64_MAX ? INT64_MAX : bounds->hi - bounds->lo + 1);
  addGuard(state, {{bounds->lo ? above.code : v.code, ""},
                   {below.code, ""},
                   state.path,
                   "integer arithmetic does not wrap"});
  return v;
}

Value valueOf(RegionState &state, const Expr *expr, Exactness how) {
  return Reader(state, how).exact(expr);
}

Value rawValueOf(RegionState &state, const Expr *expr) {
  return Reader(state, Exactness::Guarded).raw(expr);
}

} // namespace autokernel
