#include "model/Walk.h"

#include "model/Callees.h"
#include "model/Induction.h"
#include "model/TypeReasons.h"

#include "clang/AST/ASTContext.h"

using namespace clang;

namespace autokernel {

void Walker::under(const Expr *cond, bool truth,
                   const std::function<void()> &body) {
  size_t before = conditions.size();
  conditionsOf(state, cond, truth, conditions);
  inside(body, {cond, truth});
  conditions.resize(before);
}

void Walker::inside(const std::function<void()> &body, ScopeFact fact) {
  scope.push_back(++scopes);
  state.scopeFacts[scopes] = fact;
  ++conditionDepth;
  body();
  --conditionDepth;
  scope.pop_back();
}

void Walker::children(const CompoundStmt *block) {
  size_t before = conditions.size();
  blocks.push_back({block, path.size(), 0, {}});
  for (const Stmt *child : block->body()) {
    if (state.failed())
      break;
    if (const auto *target = dyn_cast<LabelStmt>(child))
      label(target, before);
    size_t loops = state.loops.size();
    statement(child);
    jumpOver(child, loops);
    // After `if (c) continue;` the rest runs where c is false.
    const auto *branch = dyn_cast<IfStmt>(child);
    if (!branch || branch->getElse())
      continue;
    const Stmt *then = branch->getThen();
    if (const auto *inner = dyn_cast<CompoundStmt>(then))
      then = inner->size() == 1 ? inner->body_front() : then;
    if (isa<ContinueStmt, GotoStmt>(then))
      conditionsOf(state, branch->getCond(), false, conditions);
    if (isa<GotoStmt>(then) && !state.failed())
      state.scopeFacts[scope.back()] = {branch->getCond(), false};
  }
  if (!blocks.back().pending.empty()) { // jumps to labels further out
    checkJump();
    scope.pop_back();
    --conditionDepth;
  }
  blocks.pop_back();
  conditions.resize(before);
}

/// A label is reached past every condition inside its switch.
void Walker::caseLabel(const SwitchCase *s) {
  if (switches.empty() || switches.back().depth != path.size()) {
    state.refuse(s->getBeginLoc(), "unsupported-statement",
                 "a case label inside a loop of its switch can't be taken "
                 "into a kernel");
    return;
  }
  // Not back afterwards: what follows is reached from here as well.
  for (size_t i = switches.back().conditions; i < conditions.size(); ++i)
    conditions[i] = {};
  scope[switches.back().scope] = ++scopes;
  statement(s->getSubStmt());
}

bool Walker::isStore(const Expr *e) const {
  if (const auto *full = dyn_cast<FullExpr>(e))
    e = full->getSubExpr();
  const auto *op = dyn_cast<BinaryOperator>(e->IgnoreParens());
  return op && op->getOpcode() == BO_Assign &&
         !scalarTarget(state, op->getLHS());
}

void Walker::statement(const Stmt *s) {
  if (state.failed() || !s)
    return;
  RegionState::Facts facts{state.accesses.size(), 0, state.events.size(), 0};
  if (const auto *block = dyn_cast<CompoundStmt>(s))
    children(block);
  else if (const auto *decl = dyn_cast<DeclStmt>(s))
    declarations(decl);
  else if (const auto *loop = dyn_cast<ForStmt>(s))
    forLoop(loop);
  else if (const auto *loop = dyn_cast<WhileStmt>(s))
    uncountedLoop(s, loop->getCond(), loop->getBody());
  else if (const auto *loop = dyn_cast<DoStmt>(s))
    uncountedLoop(s, loop->getCond(), loop->getBody());
  else if (update(s))
    ;
  else if (const auto *branch = dyn_cast<IfStmt>(s))
    ifStatement(branch);
  else if (isa<NullStmt>(s))
    ;
  else if (isa<ContinueStmt, BreakStmt, ReturnStmt, GotoStmt>(s))
    leave(s);
  else if (const auto *e = dyn_cast<Expr>(s)) {
    state.statementStarts.insert(e->getBeginLoc());
    inStore = isStore(e);
    statementScope = scope.size();
    expression(e);
    inStore = false;
  } else if (const auto *target = dyn_cast<LabelStmt>(s))
    statement(target->getSubStmt());
  else if (const auto *attributed = dyn_cast<AttributedStmt>(s))
    statement(attributed->getSubStmt());
  else if (const auto *choice = dyn_cast<SwitchStmt>(s)) {
    expression(choice->getCond());
    breakTargets.push_back(s);
    switches.push_back({conditions.size(), path.size(), scope.size()});
    inside([&] { statement(choice->getBody()); });
    switches.pop_back();
    breakTargets.pop_back();
  } else if (const auto *label = dyn_cast<SwitchCase>(s))
    caseLabel(label);
  else
    state.refuse(s->getBeginLoc(), "unsupported-statement",
                 std::string("a ") + s->getStmtClassName() +
                     " can't be taken into a kernel");
  facts.accessEnd = state.accesses.size();
  facts.eventEnd = state.events.size();
  state.factsOf[s] = facts;
}

void Walker::declarations(const DeclStmt *s) {
  for (const Decl *d : s->decls()) {
    if (const auto *v = dyn_cast<VarDecl>(d))
      variable(v);
    else if (const auto *alias = dyn_cast<TypedefNameDecl>(d))
      (void)alias;
    else if (!isa<StaticAssertDecl>(d))
      state.refuse(d->getLocation(), "unsupported-statement",
                   "this declaration can't be taken into a kernel");
  }
}

/// The same for the whole region, or a function of the counters.
static bool isPure(const RegionState &state, const VarDecl *v) {
  if (state.pure.count(v))
    return true;
  for (const LoopFact &fact : state.loopFacts)
    if (fact.counter == v)
      return true;
  return false;
}

void Walker::variable(const VarDecl *v) {
  QualType type = v->getType();
  state.declaredUnder[v] = path;
  noteTypedefs(v->getTypeSourceInfo());
  if (v->isStaticLocal() || type.isVolatileQualified()) {
    state.refuse(v->getLocation(), "volatile-or-atomic",
                 "'" + v->getNameAsString() +
                     "' is static or volatile; a kernel can't share it");
    return;
  }
  const Expr *init = v->getInit();
  if (type->isPointerType()) {
    auto target = init ? pointerOf(state, init) : std::nullopt;
    if (init)
      expression(init);
    if (!target || state.assigned.count(v)) {
      state.refuse(v->getLocation(), "pointer-changes",
                   "where '" + v->getNameAsString() +
                       "' points can't be told from its declaration");
      return;
    }
    state.pointers[v] = *target;
    return;
  }
  QualType element = type;
  while (lengthOf(state.unit.context, element))
    element = state.unit.context.getAsArrayType(element)->getElementType();
  if (!elementType(state.unit.context, element)) {
    state.refuse(v->getLocation(), "unsupported-type",
                 "'" + v->getNameAsString() + "' has type '" +
                     type.getAsString() + "', which " +
                     whyNotHeld(type, "kernels can't hold yet"));
    return;
  }
  size_t accesses = state.accesses.size(), events = state.events.size();
  if (init)
    expression(init);
  if (init && !type->isArrayType()) {
    event(ScalarEvent::Write, v, v->getLocation());
    rememberValue(v, init);
  }
  if (type->isIntegerType() && init && !state.assigned.count(v)) {
    Value value = rawValueOf(state, init);
    if (value.known)
      state.integers[v] = value;
  }
  bool reads = accesses != state.accesses.size();
  for (size_t i = events; i < state.events.size(); ++i)
    reads |= state.events[i].kind == ScalarEvent::Read &&
             !isPure(state, state.events[i].variable);
  if (init && !reads && !state.assigned.count(v) && !type->isArrayType())
    state.pure.insert(v);
}

void Walker::forLoop(const ForStmt *s) {
  LoopProblem problem;
  auto header = readCountedLoop(state, s, problem);
  if (header)
    return countedLoop(s, *header);
  if (path.empty()) {
    state.refuse(problem.place, problem.id, problem.message);
    return;
  }
  statement(s->getInit());
  breakTargets.push_back(s);
  state.around.push_back({s, scope.size()});
  inside([&] {
    if (s->getCond())
      expression(s->getCond());
    statement(s->getBody());
    if (s->getInc())
      expression(s->getInc());
  });
  state.around.pop_back();
  breakTargets.pop_back();
}

void Walker::uncountedLoop(const Stmt *s, const Expr *cond, const Stmt *body) {
  if (path.empty()) {
    state.refuse(s->getBeginLoc(), "loop-form",
                 "a while loop is not a counted loop");
    return;
  }
  breakTargets.push_back(s);
  state.around.push_back({s, scope.size()});
  inside([&] {
    if (isa<DoStmt>(s))
      statement(body);
    expression(cond);
    if (!isa<DoStmt>(s))
      statement(body);
  });
  state.around.pop_back();
  breakTargets.pop_back();
}

static ElementType counterTypeOf(RegionState &state, const VarDecl *v) {
  auto type = elementType(state.unit.context, v->getType());
  return type ? *type : ElementType{};
}

/// The inclusive bound as a value.
static Value inclusive(RegionState &state, const CountedLoop &h, Value bound) {
  if (h.comparison == "<=" || h.comparison == ">=")
    return bound;
  return state.values.combine(h.down ? Op::Add : Op::Sub, bound,
                              state.values.constant(1));
}

void Walker::countedLoop(const ForStmt *s, const CountedLoop &h) {
  expression(h.first);
  expression(h.bound);
  if (h.step)
    expression(h.step);
  Loop loop;
  loop.id = state.contract.loops.size();
  loop.parent = path.empty() ? -1 : int(path.back());
  loop.counter = h.counter->getNameAsString();
  loop.counterType = counterTypeOf(state, h.counter);
  loop.comparison = h.comparison;
  loop.down = h.down;
  loop.counterOutside = !h.declares && !state.inside.count(h.counter);
  loop.place = placeOf(state.sources, state.sources.getFileLoc(s->getForLoc()));
  loop.firstText = state.text.text(h.first->getSourceRange());
  loop.boundText = state.text.text(h.bound->getSourceRange());
  loop.stepText = h.step ? state.text.text(h.step->getSourceRange())
                         : std::to_string(h.constantStep);
  Value first = valueOf(state, h.first);
  // Compared as unsigned, a negative counter would be a large one.
  first.wraps |= h.comparedAs->isUnsignedIntegerType() &&
                 h.counter->getType()->isSignedIntegerType();
  first = exactly(state, first, h.comparedAs);
  Value last = inclusive(state, h, valueOf(state, h.bound));
  Value step = h.step && !h.constantStep
                   ? valueOf(state, h.step)
                   : state.values.constant(h.constantStep);
  if (h.step && !h.constantStep && step.known)
    state.contract.assumptions.push_back(
        {state.values.combine(Op::Sub, step, state.values.constant(1)).code,
         loop.stepText + " > 0"});
  if (h.down)
    step = state.values.negate(step);
  auto toExpr = [](const Value &v, const std::string &text) {
    return IndexExpr{v.known ? v.code : std::vector<Instr>{{Op::Unknown, 0}},
                     text};
  };
  loop.first = toExpr(first, loop.firstText);
  loop.last = toExpr(last, loop.boundText);
  loop.step = toExpr(step, loop.stepText);
  state.loops.push_back(
      {first, last, h.down ? -h.constantStep : h.constantStep});
  state.loopFacts.push_back({s, h.counter, {}, conditionDepth > 0});
  state.loopOf[s] = loop.id;
  state.contract.loops.push_back(loop);
  auto shadowed = state.integers.find(h.counter);
  std::optional<Value> outer;
  if (shadowed != state.integers.end())
    outer = shadowed->second;
  state.integers[h.counter] = state.values.counter(loop.id);
  if (!h.declares)
    event(ScalarEvent::Write, h.counter, s->getForLoc());
  auto inductions = enterInductions(state, s, h, loop.id);
  for (const ActiveInduction &one : inductions)
    if (one.reads)
      event(ScalarEvent::Read, one.variable, s->getForLoc());
  path.push_back(loop.id);
  loopEntryDepth.push_back(conditionDepth);
  breakTargets.push_back(s);
  state.around.push_back({s, scope.size()});
  scope.push_back(++scopes);
  statement(s->getBody());
  scope.pop_back();
  state.around.pop_back();
  breakTargets.pop_back();
  loopEntryDepth.pop_back();
  path.pop_back();
  leaveInductions(state, s, inductions);
  state.integers.erase(h.counter);
  if (outer)
    state.integers[h.counter] = *outer;
}

void Walker::ifStatement(const IfStmt *s) {
  if (s->getInit() || s->getConditionVariable()) {
    state.refuse(s->getBeginLoc(), "unsupported-statement",
                 "an 'if' with a declaration is not taken yet");
    return;
  }
  expression(s->getCond());
  auto before = state.integers; // of induction variables
  under(s->getCond(), true, [&] { statement(s->getThen()); });
  if (s->getElse() && !state.inductionNames.empty())
    state.integers = before;
  if (s->getElse())
    under(s->getCond(), false, [&] { statement(s->getElse()); });
}

void Walker::leave(const Stmt *s) {
  if (isa<ContinueStmt>(s))
    return;
  if (isa<BreakStmt>(s) && !breakTargets.empty()) {
    const auto *loop = dyn_cast<ForStmt>(breakTargets.back());
    auto counted = loop ? state.loopOf.find(loop) : state.loopOf.end();
    if (counted != state.loopOf.end())
      state.loopFacts[counted->second].leaves = s->getBeginLoc();
    return;
  }
  const auto *jump = dyn_cast<GotoStmt>(s);
  if (jump && isForward(jump))
    return;
  if (jump && isLabelIn(state.site.statement, jump->getLabel())) {
    state.refuse(s->getBeginLoc(), "unsupported-statement",
                 "only a jump forward, inside one iteration, can be taken into "
                 "a kernel");
    return;
  }
  state.refuse(s->getBeginLoc(), "leaves-early",
               isa<ReturnStmt>(s) ? "'return' leaves the region before its end"
                                  : "this leaves the region before its end");
}

void Walker::operands(const UpdateForm &form) {
  if (form.operand)
    expression(form.operand);
  for (const Expr *term : form.more)
    expression(term);
}

bool Walker::update(const Stmt *s) {
  auto form = readUpdate(state, s);
  if (!form)
    return false;
  translateUpdateCall(s);
  const Expr *target = form->target->IgnoreParenImpCasts();
  if (const VarDecl *v = scalarTarget(state, target)) {
    if (!elementType(state.unit.context, v->getType().getNonReferenceType()))
      return false;
    operands(*form);
    if (form->op == "+" && moveInduction(state, v, *form))
      return true;
    event(ScalarEvent::Update, v, target->getBeginLoc(), form->op);
    noteAdvance(v, *form);
    return true;
  }
  operands(*form);
  access(target, true, true, form->op);
  return true;
}

/// Whether the last event, an update, moves `v` up by a known amount.
void Walker::noteAdvance(const VarDecl *v, const UpdateForm &form) {
  if (state.events.empty() || state.events.back().variable != v)
    return;
  Expr::EvalResult by;
  bool constant =
      !form.operand || form.operand->EvaluateAsInt(by, state.unit.context);
  state.events.back().up =
      form.op == "+" && !form.negative && form.more.empty() && constant &&
      (!form.operand || by.Val.getInt().isStrictlyPositive());
}

/// `s = std::max(s, e)`: the call is not walked, its name still differs.
void Walker::translateUpdateCall(const Stmt *s) {
  const auto *e = dyn_cast<Expr>(s);
  if (const auto *full = dyn_cast_or_null<FullExpr>(e))
    e = full->getSubExpr();
  const auto *assign =
      e ? dyn_cast<BinaryOperator>(e->IgnoreParens()) : nullptr;
  if (!assign || assign->getOpcode() != BO_Assign)
    return;
  if (const auto *c =
          dyn_cast<CallExpr>(assign->getRHS()->IgnoreParenImpCasts()))
    translateMathCall(state, c);
}

void walkRegion(RegionState &state) {
  Walker walker(state);
  walker.statement(state.site.statement);
}

} // namespace autokernel
