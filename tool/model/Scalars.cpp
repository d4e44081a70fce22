// Scalars that loops update, privatise or carry.

#include "model/RegionState.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace autokernel {

static bool sameExpr(RegionState &state, const Expr *a, const Expr *b) {
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

static std::string reductionOf(BinaryOperatorKind kind) {
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

static std::optional<UpdateForm> made(const Expr *target, const Expr *operand,
                                      const std::string &op) {
  if (op.empty() || mentionsTarget(target, operand))
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
    return made(target, yes, op);
  if (sameExpr(state, target, yes))
    return made(target, no, op);
  return std::nullopt;
}

static std::optional<UpdateForm>
fromCall(RegionState &state, const Expr *target, const CallExpr *call) {
  const FunctionDecl *callee = call->getDirectCallee();
  if (!callee || !callee->getIdentifier() || call->getNumArgs() != 2)
    return std::nullopt;
  llvm::StringRef name = callee->getName();
  std::string op = name == "fmaxf" || name == "fmax" || name == "max"   ? "max"
                   : name == "fminf" || name == "fmin" || name == "min" ? "min"
                                                                        : "";
  for (unsigned i : {0u, 1u})
    if (sameExpr(state, target, call->getArg(i)))
      return made(target, call->getArg(1 - i), op);
  return std::nullopt;
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
  std::string op = reductionOf(binary->getOpcode());
  if (sameExpr(state, target, binary->getLHS())) {
    auto form = made(target, binary->getRHS(), op);
    if (form)
      form->negative = binary->getOpcode() == BO_Sub;
    return form;
  }
  if (binary->getOpcode() != BO_Sub &&
      sameExpr(state, target, binary->getRHS()))
    return made(target, binary->getLHS(), op);
  return std::nullopt;
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
  if (!assign || assign->getOpcode() != BO_Assign || !test ||
      !test->isRelationalOp())
    return std::nullopt;
  std::string op = minMaxOf(test->getOpcode());
  const Expr *target = assign->getLHS(), *value = assign->getRHS();
  if (sameExpr(state, test->getLHS(), value) &&
      sameExpr(state, test->getRHS(), target))
    return made(target, value, op);
  if (sameExpr(state, test->getRHS(), value) &&
      sameExpr(state, test->getLHS(), target))
    return made(target, value, flipped(op));
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
  if (binary->isCompoundAssignmentOp()) {
    auto form = made(binary->getLHS(), binary->getRHS(),
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

/// Sets the variable whenever the body of `loop` (-1: the region) runs.
static bool setsFirst(const ScalarEvent &e, int loop) {
  if (e.kind != ScalarEvent::Write || e.conditional)
    return false;
  return loop < 0 ? e.path.empty()
                  : !e.path.empty() && int(e.path.back()) == loop;
}

/// No later code in the region reads what `loop` left in the variable.
static bool deadAfterLoop(RegionState &state, const VarDecl *v, unsigned loop,
                          size_t lastEvent) {
  int parent = state.contract.loops[loop].parent;
  for (size_t i = lastEvent + 1; i < state.events.size(); ++i) {
    const ScalarEvent &e = state.events[i];
    if (e.variable != v)
      continue;
    return setsFirst(e, parent);
  }
  for (int outer = parent; outer >= 0;
       outer = state.contract.loops[outer].parent) {
    if (isDeclaredUnder(state, v, outer))
      return true;
    for (const ScalarEvent &e : state.events)
      if (e.variable == v && isUnder(e.path, outer)) {
        if (!setsFirst(e, outer))
          return false;
        break;
      }
  }
  return state.inside.count(v) || !isLiveAfter(state, v);
}

ScalarUse scalarUse(RegionState &state, unsigned loop, const VarDecl *v) {
  ScalarUse use;
  const ScalarEvent *first = nullptr;
  size_t last = 0;
  bool updatesOnly = true;
  std::string op;
  for (size_t i = 0; i < state.events.size(); ++i) {
    const ScalarEvent &e = state.events[i];
    if (e.variable != v || !isUnder(e.path, loop))
      continue;
    if (!first)
      first = &e;
    last = i;
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
    use.privateHere =
        setsFirst(*first, loop) && deadAfterLoop(state, v, loop, last);
  return use;
}

// --- after the region -------------------------------------------------------

namespace {

/// All mentions of one variable in a function, in source order, and whether a
/// mention is a plain assignment to it.
class MentionList : public RecursiveASTVisitor<MentionList> {
public:
  explicit MentionList(const VarDecl *v) : variable(v) {}
  std::vector<std::pair<SourceLocation, bool>> mentions;
  std::vector<SourceRange> loops;

  bool TraverseBinaryOperator(BinaryOperator *op) {
    bool sets =
        op->getOpcode() == BO_Assign && namedVariable(op->getLHS()) == variable;
    if (!sets)
      return RecursiveASTVisitor::TraverseBinaryOperator(op);
    TraverseStmt(op->getRHS());
    mentions.push_back({op->getLHS()->getBeginLoc(), true});
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *ref) {
    if (ref->getDecl() == variable)
      mentions.push_back({ref->getBeginLoc(), false});
    return true;
  }
  bool VisitForStmt(ForStmt *s) { return loop(s); }
  bool VisitWhileStmt(WhileStmt *s) { return loop(s); }
  bool VisitDoStmt(DoStmt *s) { return loop(s); }

private:
  bool loop(Stmt *s) {
    loops.push_back(s->getSourceRange());
    return true;
  }
  const VarDecl *variable;
};

} // namespace

bool isLiveAfter(RegionState &state, const VarDecl *v) {
  if (!v->hasLocalStorage() || v->getType()->isReferenceType())
    return true;
  MentionList list(v);
  list.TraverseStmt(state.site.function->getBody());
  SourceLocation begin = state.site.statement->getBeginLoc();
  SourceLocation end = state.site.statement->getEndLoc();
  auto before = [&](SourceLocation a, SourceLocation b) {
    return state.sources.isBeforeInTranslationUnit(a, b);
  };
  for (auto [place, sets] : list.mentions)
    if (before(end, place)) {
      if (!sets)
        return true;
      break;
    }
  for (SourceRange loop : list.loops) {
    if (!before(loop.getBegin(), begin) || !before(end, loop.getEnd()))
      continue;
    for (auto [place, sets] : list.mentions)
      if (before(loop.getBegin(), place)) {
        bool own = !before(place, begin); // the region itself comes first
        if (!own && !sets)
          return true;
        break;
      }
  }
  return false;
}

void decidePrivates(RegionState &state) {
  for (const VarDecl *v : state.outside) {
    if (!state.assigned.count(v) || v->getType()->isPointerType() ||
        v->getType()->isArrayType())
      continue;
    const ScalarEvent *first = nullptr;
    for (const ScalarEvent &e : state.events)
      if (e.variable == v && !first)
        first = &e;
    bool sets =
        first && first->kind == ScalarEvent::Write && !first->conditional;
    if (sets && !isLiveAfter(state, v))
      state.privates.insert(v);
  }
}

} // namespace autokernel
