// Induction variables: integers that each iteration of a loop moves by the same
// amount, as `k` in `for (i ...) { k += 2; x[k] = ...; }`.
//
// Inside the loop such a variable becomes a local that starts from a closed
// form of the counter, so that no iteration waits for the one before. Surface
// (Induction.h): enterInductions(), leaveInductions(), moveInduction().

#include "model/Induction.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace autokernel {

namespace {

/// The variables that a statement assigns, and whether it may skip its rest.
class Assignments : public RecursiveASTVisitor<Assignments> {
public:
  explicit Assignments(const Stmt *s) { TraverseStmt(const_cast<Stmt *>(s)); }
  std::map<const VarDecl *, unsigned> counts;
  std::vector<const VarDecl *> order;
  bool skips = false; // continue, break, return

  bool VisitBinaryOperator(BinaryOperator *op) {
    if (op->isAssignmentOp())
      note(op->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *op) {
    if (op->isIncrementDecrementOp())
      note(op->getSubExpr());
    return true;
  }
  bool VisitStmt(Stmt *s) {
    skips |= isa<ContinueStmt, BreakStmt, ReturnStmt>(s);
    return true;
  }

private:
  void note(const Expr *target) {
    if (const VarDecl *v = namedVariable(target))
      if (counts[v]++ == 0)
        order.push_back(v);
  }
};

class Uses : public RecursiveASTVisitor<Uses> {
public:
  explicit Uses(const VarDecl *v) : variable(v) {}
  std::vector<const DeclRefExpr *> found;
  bool VisitDeclRefExpr(DeclRefExpr *ref) {
    if (ref->getDecl() == variable)
      found.push_back(ref);
    return true;
  }
  static std::vector<const DeclRefExpr *> of(const VarDecl *v, const Stmt *s) {
    Uses uses(v);
    if (s)
      uses.TraverseStmt(const_cast<Stmt *>(s));
    return uses.found;
  }

private:
  const VarDecl *variable;
};

/// How far one run of a statement moves a variable.
struct Movement {
  Value value;
  std::string text;
};

class Finder {
public:
  Finder(RegionState &state, const VarDecl *v) : state(state), variable(v) {}

  std::optional<Movement> of(const Stmt *s) {
    if (!s || Uses::of(variable, s).empty())
      return none();
    if (const auto *block = dyn_cast<CompoundStmt>(s))
      return ofBlock(block);
    if (const auto *attributed = dyn_cast<AttributedStmt>(s))
      return of(attributed->getSubStmt());
    if (const auto *label = dyn_cast<LabelStmt>(s))
      return of(label->getSubStmt());
    if (const auto *branch = dyn_cast<IfStmt>(s))
      return ofBranch(branch);
    if (const auto *loop = dyn_cast<ForStmt>(s))
      return ofLoop(loop);
    Assignments assigned(s);
    if (!assigned.counts.count(variable))
      return none();
    auto form = readUpdate(state, s);
    if (!form || namedVariable(form->target) != variable || form->op != "+" ||
        !form->more.empty())
      return std::nullopt;
    return ofUpdate(*form);
  }

  /// Iterations of a counted loop before the current one, or all of them.
  std::optional<Movement> trips(const CountedLoop &h, const std::string &upTo,
                                const Value &end) {
    Value first = valueOf(state, h.first);
    if (!first.known || !end.known || h.constantStep != 1)
      return std::nullopt;
    std::string from = "(" + state.text.text(h.first->getSourceRange()) + ")";
    Movement m;
    m.value = h.down ? state.values.combine(Op::Sub, first, end)
                     : state.values.combine(Op::Sub, end, first);
    m.text = h.down ? from + " - " + upTo : upTo + " - " + from;
    if (m.text.size() > 6 && m.text.substr(m.text.size() - 6) == " - (0)")
      m.text.resize(m.text.size() - 6);
    return m;
  }

  Movement product(const Movement &a, const Movement &b) {
    if (b.text == "1")
      return a;
    return {state.values.combine(Op::Mul, a.value, b.value),
            "(" + a.text + ") * (" + b.text + ")"};
  }

private:
  Movement none() { return {state.values.constant(0), "0"}; }

  std::optional<Movement> ofBlock(const CompoundStmt *block) {
    Movement sum = none();
    std::set<const LabelDecl *> pending; // jumped to, over what follows
    for (const Stmt *child : block->body()) {
      if (const auto *label = dyn_cast<LabelStmt>(child))
        pending.erase(label->getDecl());
      auto one = of(child);
      if (!one)
        return std::nullopt;
      bool skipped = !pending.empty();
      for (const GotoStmt *jump : gotosIn(child))
        if (!isLabelIn(child, jump->getLabel()))
          pending.insert(jump->getLabel());
      if (one->text == "0")
        continue;
      if (skipped)
        return std::nullopt;
      sum = sum.text == "0"
                ? *one
                : Movement{state.values.combine(Op::Add, sum.value, one->value),
                           sum.text + " + " + one->text};
    }
    return sum;
  }

  std::optional<Movement> ofBranch(const IfStmt *s) {
    auto yes = of(s->getThen()), no = of(s->getElse());
    if (!yes || !no || !(yes->value.poly == no->value.poly) ||
        Assignments(s->getCond()).counts.count(variable))
      return std::nullopt;
    return yes;
  }

  std::optional<Movement> ofLoop(const ForStmt *s) {
    LoopProblem problem;
    auto header = readCountedLoop(state, s, problem);
    auto each = of(s->getBody());
    if (!header || !each || Assignments(s->getBody()).skips ||
        !Uses::of(variable, header->first).empty() ||
        !Uses::of(variable, header->bound).empty())
      return std::nullopt;
    if (each->text == "0")
      return each;
    Value bound = valueOf(state, header->bound);
    bool inclusive =
        header->comparison.size() == 2 && header->comparison != "!=";
    std::string text =
        "(" + state.text.text(header->bound->getSourceRange()) + ")";
    auto all = trips(*header, text, bound);
    if (!all || inclusive || !isFixed(all->value))
      return std::nullopt;
    state.contract.assumptions.push_back(
        {all->value.code, all->text + " >= 0"});
    return product(*each, *all);
  }

  std::optional<Movement> ofUpdate(const UpdateForm &form) {
    Movement m{state.values.constant(1), "1"};
    if (form.operand) {
      m = {valueOf(state, form.operand),
           state.text.text(form.operand->getSourceRange())};
      if (!m.value.known || !isFixed(m.value))
        return std::nullopt;
    }
    if (form.negative)
      m = {state.values.negate(m.value), "-(" + m.text + ")"};
    return m;
  }

  /// The same in every iteration: of parameters and constants only.
  static bool isFixed(const Value &v) {
    return v.known && llvm::all_of(v.code, [](const Instr &i) {
             return i.op != Op::Counter && i.op != Op::Data &&
                    i.op != Op::Unknown;
           });
  }

  RegionState &state;
  const VarDecl *variable;
};

class Entry {
public:
  Entry(RegionState &state, const ForStmt *s, const CountedLoop &h,
        unsigned loop)
      : state(state), statement(s), header(h), loop(loop) {}

  std::vector<ActiveInduction> run() {
    std::vector<ActiveInduction> found;
    Assignments assigned(statement->getBody());
    for (const VarDecl *v : assigned.order) {
      auto one = assigned.skips ? std::nullopt : enter(v);
      if (one)
        found.push_back(std::move(*one));
      else if (state.inductionNames.count(v))
        carry(v);
    }
    return found;
  }

private:
  /// Inside the loop, and behind it, its value isn't known.
  void carry(const VarDecl *v) {
    state.carried[loop][v] = state.inductionNames[v];
    state.integers[v] = Value();
  }

  std::optional<ActiveInduction> enter(const VarDecl *v) {
    auto type = elementType(state.unit.context, v->getType());
    bool counts = llvm::any_of(state.loopFacts, [&](const LoopFact &fact) {
      return fact.counter == v;
    });
    if (!type || type->kind != ElementType::Int || counts ||
        v == header.counter || state.places.count(v) || isDeclaredInside(v))
      return std::nullopt;
    auto before = valueBefore(v);
    if (!before || usedAfter(v))
      return std::nullopt;
    Finder finder(state, v);
    size_t assumptions = state.contract.assumptions.size();
    auto each = finder.of(statement->getBody());
    auto passed = finder.trips(header, header.counter->getNameAsString(),
                               state.values.counter(loop));
    if (!each || each->text == "0" || !passed) {
      state.contract.assumptions.resize(assumptions);
      return std::nullopt;
    }
    return made(v, *type, *before, finder.product(*passed, *each));
  }

  ActiveInduction made(const VarDecl *v, const ElementType &type,
                       const Value &before, const Movement &moved) {
    ActiveInduction result;
    result.variable = v;
    result.outerName = nameOf(v);
    result.name = v->getNameAsString() + "_" +
                  header.counter->getNameAsString() + std::to_string(loop);
    result.outerValue = before;
    result.reads = state.inductionNames.count(v) == 0;
    result.declaration = type.spelling + " " + result.name + " = static_cast<" +
                         type.spelling + ">(" + result.outerName + " + " +
                         moved.text + ");";
    result.type = type.spelling;
    state.integers[v] =
        exactly(state, state.values.combine(Op::Add, before, moved.value),
                v->getType());
    state.inductionNames[v] = result.name;
    for (const DeclRefExpr *use : Uses::of(v, statement->getBody()))
      state.edits.replaceToken(use->getLocation(), result.name);
    return result;
  }

  std::string nameOf(const VarDecl *v) const {
    auto it = state.inductionNames.find(v);
    return it == state.inductionNames.end() ? v->getNameAsString() : it->second;
  }

  bool isDeclaredInside(const VarDecl *v) const {
    const SourceManager &sources = state.sources;
    SourceRange body = statement->getBody()->getSourceRange();
    return !sources.isBeforeInTranslationUnit(v->getLocation(),
                                              body.getBegin()) &&
           !sources.isBeforeInTranslationUnit(body.getEnd(), v->getLocation());
  }

  /// What the variable holds when the loop is reached.
  std::optional<Value> valueBefore(const VarDecl *v) const {
    auto known = state.integers.find(v);
    if (known != state.integers.end())
      return state.inductionNames.count(v) && known->second.known
                 ? std::optional(known->second)
                 : std::nullopt;
    const ScalarEvent *last = nullptr;
    for (const ScalarEvent &e : state.events)
      if (e.variable == v && e.kind != ScalarEvent::Read)
        last = &e;
    if (last)
      return last->value && last->scope == state.scope
                 ? std::optional(*last->value)
                 : std::nullopt;
    auto param = state.paramOf.find(v);
    if (!state.path.empty() || param == state.paramOf.end())
      return std::nullopt;
    state.sizeLike.insert(v);
    return state.values.param(param->second);
  }

  /// The value that the loop leaves may be read.
  bool usedAfter(const VarDecl *v) const {
    if (!state.inside.count(v) && isLiveAfter(state, v))
      return true;
    SourceLocation end = statement->getBody()->getEndLoc();
    for (const DeclRefExpr *use : Uses::of(v, state.site.statement)) {
      if (state.sources.isBeforeInTranslationUnit(end, use->getLocation()))
        return true;
    }
    return false;
  }

  RegionState &state;
  const ForStmt *statement;
  const CountedLoop &header;
  unsigned loop;
};

} // namespace

bool isAssignedIn(const Stmt *statement, const VarDecl *v) {
  return Assignments(statement).counts.count(v) != 0;
}

std::vector<ActiveInduction> enterInductions(RegionState &state,
                                             const ForStmt *s,
                                             const CountedLoop &header,
                                             unsigned loop) {
  return Entry(state, s, header, loop).run();
}

void leaveInductions(RegionState &state, const ForStmt *s,
                     const std::vector<ActiveInduction> &list) {
  for (const ActiveInduction &one : list) {
    state.inductions[s].push_back(one);
    state.integers.erase(one.variable);
    if (one.reads) {
      state.inductionNames.erase(one.variable);
      continue;
    }
    state.integers[one.variable] = one.outerValue;
    state.inductionNames[one.variable] = one.outerName;
  }
}

bool moveInduction(RegionState &state, const VarDecl *v,
                   const UpdateForm &form) {
  if (!state.inductionNames.count(v))
    return false;
  Value by =
      form.operand ? valueOf(state, form.operand) : state.values.constant(1);
  Value &value = state.integers[v];
  value = state.values.combine(form.negative ? Op::Sub : Op::Add, value, by);
  return true;
}

} // namespace autokernel
