// The last values of counters that are declared around the region.

#include "model/RegionState.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace autokernel {

namespace {

/// Whether the region changes what an expression is computed from.
class Changing : public RecursiveASTVisitor<Changing> {
public:
  explicit Changing(const RegionState &state) : state(state) {}
  bool found = false;

  bool VisitDeclRefExpr(DeclRefExpr *ref) {
    const auto *v = dyn_cast<VarDecl>(ref->getDecl());
    found |= v && (state.assigned.count(v) || state.writtenArrays.count(v) ||
                   state.inside.count(v));
    return !found;
  }

  bool any(std::initializer_list<const Expr *> list) {
    for (const Expr *e : list)
      if (e)
        TraverseStmt(const_cast<Expr *>(e));
    return found;
  }

private:
  const RegionState &state;
};

std::string finalValue(const Loop &l) {
  std::string first = "(" + l.firstText + ")", bound = "(" + l.boundText + ")";
  std::string step = "(" + l.stepText + ")";
  std::string inclusive = l.comparison.size() == 2 ? " + 1" : "";
  std::string span = l.down ? first + " - " + bound : bound + " - " + first;
  return first + " " + l.comparison + " " + bound + " ? " + first +
         (l.down ? " - " : " + ") + "((" + span + inclusive + " + " + step +
         " - 1) / " + step + ") * " + step + " : " + first;
}

/// The loop that alone decides the last value of `v`, or nothing.
const LoopFact *decidingLoop(RegionState &state, const VarDecl *v) {
  const LoopFact *last = nullptr;
  unsigned headers = 0;
  for (const LoopFact &fact : state.loopFacts) {
    if (fact.counter != v)
      continue;
    const Loop &loop = state.contract.loops[state.loopOf[fact.statement]];
    if (loop.parent >= 0)
      return nullptr;
    headers += 2; // first value and step
    last = &fact;
  }
  if (!last || state.assigned[v] != headers)
    return nullptr;
  const Loop &loop = state.contract.loops[state.loopOf[last->statement]];
  LoopProblem problem;
  auto header = readCountedLoop(state, last->statement, problem);
  bool plain =
      !last->conditional && last->leaves.isInvalid() && loop.comparison != "!=";
  Changing changing(state);
  return plain && header &&
                 !changing.any({header->first, header->bound, header->step})
             ? last
             : nullptr;
}

} // namespace

std::map<std::string, std::string> lastCounters(RegionState &state) {
  std::map<std::string, std::string> values;
  for (const LoopFact &fact : state.loopFacts) {
    const VarDecl *v = fact.counter;
    const Loop &loop = state.contract.loops[state.loopOf[fact.statement]];
    if (!loop.counterOutside || state.privates.count(v))
      continue;
    const LoopFact *last = decidingLoop(state, v);
    if (!last) {
      state.refuse(fact.statement->getForLoc(), "live-out",
                   "the counter '" + loop.counter +
                       "' may be read after the region");
      return {};
    }
    values[loop.counter] =
        finalValue(state.contract.loops[state.loopOf[last->statement]]);
    state.privates.insert(v);
  }
  return values;
}

} // namespace autokernel
