// Scalars that loops update, privatise or carry.

#include "model/MathCalls.h"
#include "model/RegionState.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace autokernel {

bool sameExpr(RegionState &state, const Expr *a, const Expr *b) {
  llvm::FoldingSetNodeID ia, ib;
  a->IgnoreParenImpCasts()->Profile(ia, state.unit.context, true);
  b->IgnoreParenImpCasts()->Profile(ib, state.unit.context, true);
  return ia == ib;
}

namespace {

class Mentions : public RecursiveASTVisitor<Mentions> {
public:
  explicit Mentions(const VarDecl *v) : variable(v) {}
  bool found = false;
  bool VisitDeclRefExpr(DeclRefExpr *ref) {
    found |= ref->getDecl() == variable;
    return !found;
  }

private:
  const VarDecl *variable;
};

} // namespace

/// The operand may not read the variable it updates.
static bool mentionsTarget(const Expr *target, const Expr *operand) {
  const VarDecl *v = namedVariable(target);
  if (!v)
    return false; // elements: the dependence test looks at reads
  Mentions mentions(v);
  mentions.TraverseStmt(const_cast<Expr *>(operand));
  return mentions.found;
}

/// `isBool`: of a target that is true or false.
static std::string reductionOf(BinaryOperatorKind kind, bool isBool = false) {
  if (isBool && kind == BO_LOr)
    return "|";
  if (isBool && kind == BO_LAnd)
    return "&";
  switch (kind) {
  case BO_Add:
  case BO_Sub:
  case BO_AddAssign:
  case BO_SubAssign:
    return "+";
  case BO_Mul:
  case BO_MulAssign:
    return "*";
  case BO_And:
  case BO_AndAssign:
    return "&";
  case BO_Or:
  case BO_OrAssign:
    return "|";
  case BO_Xor:
  case BO_XorAssign:
    return "^";
  default:
    return "";
  }
}

static QualType plain(QualType type) {
  return type.getCanonicalType().getUnqualifiedType();
}

/// Whether min and max of `own` numbers can be found in the type `computed`.
static bool holds(const ASTContext &context, QualType computed, QualType own) {
  return own->isFloatingType() == computed->isFloatingType() &&
         context.getTypeSize(computed) >= context.getTypeSize(own);
}

bool keepsSense(RegionState &state, const Expr *target, const Expr *operand,
                QualType computed, const std::string &op) {
  QualType own = plain(target->getType()), result = plain(computed);
  QualType given = plain(operand->IgnoreParenImpCasts()->getType());
  if (op == "min" || op == "max")
    return own == result ||
           (own == given && holds(state.unit.context, result, own));
  if (own->isBooleanType())
    return op == "|" || given->isBooleanType();
  return !own->isIntegerType() || result->isIntegerType();
}

static std::optional<UpdateForm> made(RegionState &state, const Expr *target,
                                      const Expr *operand, QualType computed,
                                      const std::string &op) {
  if (op.empty() || mentionsTarget(target, operand) ||
      !keepsSense(state, target, operand, computed, op))
    return std::nullopt;
  return UpdateForm{target, operand, op, false};
}

/// Which of min and max `a (kind) b ? a : b` computes.
static std::string minMaxOf(BinaryOperatorKind kind) {
  if (kind == BO_GT || kind == BO_GE)
    return "max";
  return kind == BO_LT || kind == BO_LE ? "min" : "";
}

static std::string flipped(const std::string &op) {
  return op == "max" ? "min" : op == "min" ? "max" : "";
}

/// s = e > s ? e : s, and the three other ways to write it.
static std::optional<UpdateForm>
fromConditional(RegionState &state, const Expr *target,
                const ConditionalOperator *value) {
  const auto *test =
      dyn_cast<BinaryOperator>(value->getCond()->IgnoreParenImpCasts());
  if (!test || !test->isRelationalOp())
    return std::nullopt;
  const Expr *yes = value->getTrueExpr(), *no = value->getFalseExpr();
  std::string op = minMaxOf(test->getOpcode());
  if (sameExpr(state, test->getLHS(), no) &&
      sameExpr(state, test->getRHS(), yes))
    op = flipped(op);
  else if (!sameExpr(state, test->getLHS(), yes) ||
           !sameExpr(state, test->getRHS(), no))
    return std::nullopt;
  if (sameExpr(state, target, no))
    return made(state, target, yes, test->getLHS()->getType(), op);
  if (sameExpr(state, target, yes))
    return made(state, target, no, test->getLHS()->getType(), op);
  return std::nullopt;
}

static std::optional<UpdateForm>
fromCall(RegionState &state, const Expr *target, const CallExpr *call) {
  auto math = resolveMathCall(call); // a max of the user's is no maximum
  if (!math || call->getNumArgs() != 2)
    return std::nullopt;
  const std::string &name = math->name;
  std::string op = "";
  if (name == "fmaxf" || name == "fmax" || name == "autokernel_max")
    op = "max";
  else if (name == "fminf" || name == "fmin" || name == "autokernel_min")
    op = "min";
  for (unsigned i : {0u, 1u})
    if (sameExpr(state, target, call->getArg(i)))
      return made(state, target, call->getArg(1 - i), call->getType(), op);
  return std::nullopt;
}

/// s = s + a + b - c: one update by a + b - c, for the walk. Code is made of it
/// by its text from `a` on.
static std::optional<UpdateForm>
fromChain(RegionState &state, const Expr *target, const BinaryOperator *sum) {
  const auto *left = dyn_cast<BinaryOperator>(sum->getLHS()->IgnoreImpCasts());
  UpdateForm form;
  const BinaryOperator *last = sum;
  while (left && last->isAdditiveOp() && left->isAdditiveOp()) {
    form.more.push_back(last->getRHS());
    last = left;
    left = dyn_cast<BinaryOperator>(last->getLHS()->IgnoreImpCasts());
  }
  if (form.more.empty() || !sameExpr(state, target, last->getLHS()) ||
      last->getOpcode() != BO_Add)
    return std::nullopt;
  for (const Expr *term : form.more)
    if (mentionsTarget(target, term))
      return std::nullopt;
  auto first = made(state, target, last->getRHS(), sum->getType(), "+");
  if (!first)
    return std::nullopt;
  first->more.assign(form.more.rbegin(), form.more.rend());
  return first;
}

/// b = b && e of a scalar: whatever e is, it counts as true or false.
static std::optional<UpdateForm> fromLogical(RegionState &state,
                                             const Expr *target,
                                             const BinaryOperator *binary,
                                             const std::string &op) {
  if (!binary->isLogicalOp() || op.empty() || !namedVariable(target))
    return std::nullopt;
  const Expr *first = binary->getLHS(), *second = binary->getRHS();
  const Expr *operand = sameExpr(state, target, first)    ? second
                        : sameExpr(state, target, second) ? first
                                                          : nullptr;
  if (!operand || mentionsTarget(target, operand))
    return std::nullopt;
  return UpdateForm{target, operand, op, false};
}

static std::optional<UpdateForm> fromAssignment(RegionState &state,
                                                const BinaryOperator *assign) {
  const Expr *target = assign->getLHS();
  const Expr *value = assign->getRHS()->IgnoreParenImpCasts();
  if (const auto *conditional = dyn_cast<ConditionalOperator>(value))
    return fromConditional(state, target, conditional);
  if (const auto *call = dyn_cast<CallExpr>(value))
    return fromCall(state, target, call);
  const auto *binary = dyn_cast<BinaryOperator>(value);
  if (!binary)
    return std::nullopt;
  std::string op =
      reductionOf(binary->getOpcode(), target->getType()->isBooleanType());
  if (auto form = fromChain(state, target, binary))
    return form;
  if (auto form = fromLogical(state, target, binary, op))
    return form;
  if (sameExpr(state, target, binary->getLHS())) {
    auto form = made(state, target, binary->getRHS(), binary->getType(), op);
    if (form)
      form->negative = binary->getOpcode() == BO_Sub;
    return form;
  }
  if (binary->getOpcode() != BO_Sub &&
      sameExpr(state, target, binary->getRHS()))
    return made(state, target, binary->getLHS(), binary->getType(), op);
  return std::nullopt;
}

/// if (e) s = true; and if (e) s = false;
static std::optional<UpdateForm> fromFlag(RegionState &state, const IfStmt *s,
                                          const BinaryOperator *assign) {
  const Expr *target = assign->getLHS();
  const auto *value =
      dyn_cast<CXXBoolLiteralExpr>(assign->getRHS()->IgnoreParenImpCasts());
  if (!value || !target->getType()->isBooleanType() ||
      !scalarTarget(state, target) || mentionsTarget(target, s->getCond()))
    return std::nullopt;
  return UpdateForm{target, s->getCond(), value->getValue() ? "|" : "&", false};
}

/// if (e > s) s = e;
static std::optional<UpdateForm> fromIf(RegionState &state, const IfStmt *s) {
  if (s->getElse() || s->getInit() || s->getConditionVariable())
    return std::nullopt;
  const Stmt *then = s->getThen();
  if (const auto *block = dyn_cast<CompoundStmt>(then))
    then = block->size() == 1 ? block->body_front() : nullptr;
  const auto *assign = dyn_cast_or_null<BinaryOperator>(then);
  const auto *test =
      dyn_cast<BinaryOperator>(s->getCond()->IgnoreParenImpCasts());
  if (assign && assign->getOpcode() == BO_Assign)
    if (auto flag = fromFlag(state, s, assign))
      return flag;
  if (!assign || assign->getOpcode() != BO_Assign || !test ||
      !test->isRelationalOp())
    return std::nullopt;
  std::string op = minMaxOf(test->getOpcode());
  const Expr *target = assign->getLHS(), *value = assign->getRHS();
  if (sameExpr(state, test->getLHS(), value) &&
      sameExpr(state, test->getRHS(), target))
    return made(state, target, value, test->getLHS()->getType(), op);
  if (sameExpr(state, test->getRHS(), value) &&
      sameExpr(state, test->getLHS(), target))
    return made(state, target, value, test->getLHS()->getType(), flipped(op));
  return std::nullopt;
}

std::optional<UpdateForm> readUpdate(RegionState &state, const Stmt *s) {
  if (const auto *branch = dyn_cast<IfStmt>(s))
    return fromIf(state, branch);
  const auto *e = dyn_cast<Expr>(s);
  if (!e)
    return std::nullopt;
  if (const auto *full = dyn_cast<FullExpr>(e))
    e = full->getSubExpr();
  e = e->IgnoreParens();
  if (const auto *unary = dyn_cast<UnaryOperator>(e)) {
    if (!unary->isIncrementDecrementOp() ||
        unary->getSubExpr()->getType()->isPointerType())
      return std::nullopt;
    return UpdateForm{unary->getSubExpr(), nullptr, "+",
                      unary->isDecrementOp()};
  }
  const auto *binary = dyn_cast<BinaryOperator>(e);
  if (!binary || binary->getLHS()->getType()->isPointerType())
    return std::nullopt;
  if (const auto *compound = dyn_cast<CompoundAssignOperator>(binary)) {
    auto form = made(state, binary->getLHS(), binary->getRHS(),
                     compound->getComputationResultType(),
                     reductionOf(binary->getOpcode()));
    if (form)
      form->negative = binary->getOpcode() == BO_SubAssign;
    return form;
  }
  if (binary->getOpcode() == BO_Assign)
    return fromAssignment(state, binary);
  return std::nullopt;
}

// --- events -----------------------------------------------------------------

static bool isUnder(const std::vector<unsigned> &path, unsigned loop) {
  return llvm::is_contained(path, loop);
}

bool isDeclaredUnder(const RegionState &state, const VarDecl *v,
                     unsigned loop) {
  auto it = state.declaredUnder.find(v);
  return it != state.declaredUnder.end() && isUnder(it->second, loop);
}

bool isSetBefore(const RegionState &state, size_t at, int loop, size_t from) {
  const ScalarEvent &e = state.events[at];
  for (size_t i = from; i < at; ++i) {
    const ScalarEvent &w = state.events[i];
    if (w.kind == ScalarEvent::Write && w.variable == e.variable &&
        (loop < 0 || isUnder(w.path, loop)) &&
        w.scope.size() <= e.scope.size() &&
        std::equal(w.scope.begin(), w.scope.end(), e.scope.begin()))
      return true;
  }
  return false;
}

/// The innermost loop around `loop` that also holds `path`, or -1.
static int commonLoop(const RegionState &state, unsigned loop,
                      const std::vector<unsigned> &path) {
  int outer = state.contract.loops[loop].parent;
  while (outer >= 0 && !isUnder(path, outer))
    outer = state.contract.loops[outer].parent;
  return outer;
}

/// No later code in the region reads what `loop` left in the variable: neither
/// behind it, nor before it in the next iteration of a loop around both.
static bool deadAfterLoop(RegionState &state, const VarDecl *v, unsigned loop,
                          size_t last) {
  for (size_t i = 0; i < state.events.size(); ++i) {
    const ScalarEvent &e = state.events[i];
    if (e.variable != v || e.kind == ScalarEvent::Write ||
        isUnder(e.path, loop))
      continue;
    int outer = commonLoop(state, loop, e.path);
    if (i > last ? !isSetBefore(state, i, -1, last + 1)
                 : outer >= 0 && !isDeclaredUnder(state, v, outer) &&
                       !isSetBefore(state, i, outer))
      return false;
  }
  return state.inside.count(v) || !isLiveAfter(state, v);
}

ScalarUse scalarUse(RegionState &state, unsigned loop, const VarDecl *v) {
  ScalarUse use;
  size_t last = 0;
  bool updatesOnly = true, setFirst = true;
  std::string op;
  for (size_t i = 0; i < state.events.size(); ++i) {
    const ScalarEvent &e = state.events[i];
    if (e.variable != v || !isUnder(e.path, loop))
      continue;
    last = i;
    setFirst &= e.kind == ScalarEvent::Write || isSetBefore(state, i, loop);
    if (e.kind != ScalarEvent::Read && !use.assigned) {
      use.assigned = true;
      use.place = e.place;
    }
    updatesOnly &= e.kind == ScalarEvent::Update && (op.empty() || op == e.op);
    op = e.op;
  }
  if (!use.assigned)
    return use;
  if (updatesOnly)
    use.reduction = op;
  else
    use.privateHere = setFirst && deadAfterLoop(state, v, loop, last);
  return use;
}

/// Every read comes after a write of the same run of the same loops.
static bool isSetBeforeReads(const RegionState &state, const VarDecl *v) {
  bool any = false;
  for (size_t i = 0; i < state.events.size(); ++i) {
    const ScalarEvent &e = state.events[i];
    if (e.variable != v)
      continue;
    any |= e.kind == ScalarEvent::Write;
    if (e.kind != ScalarEvent::Write && !isSetBefore(state, i, -1))
      return false;
  }
  return any;
}

void decidePrivates(RegionState &state) {
  for (const VarDecl *v : state.outside) {
    if (!state.assigned.count(v) || v->getType()->isPointerType() ||
        v->getType()->isArrayType() || state.places.count(v))
      continue;
    if (isSetBeforeReads(state, v) && !isLiveAfter(state, v))
      state.privates.insert(v);
  }
}

} // namespace autokernel
