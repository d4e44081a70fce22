// Which loops may run their iterations in any order, and why not.

#include "model/RegionState.h"

#include "clang/AST/ASTContext.h"

using namespace clang;

namespace autokernel {

namespace {

class Decider {
public:
  explicit Decider(RegionState &state)
      : state(state), tester(state.values, state.loops) {}

  void decide(unsigned loop) {
    Loop &info = state.contract.loops[loop];
    const LoopFact &fact = state.loopFacts[loop];
    if (fact.leaves.isValid()) {
      obstacle(loop, fact.leaves, "the loop is left early here");
      return;
    }
    guards.clear();
    bool ok = scalars(loop) && arrays(loop);
    if (ok && !scansAreAlone(state, loop)) {
      obstacle(loop, fact.statement->getForLoc(),
               "what the iterations add to '" + info.scans[0].variable +
                   "' can't be found before their other results");
      ok = false;
    }
    if (!ok) {
      info.selections.clear();
      info.scans.clear();
      info.ordered.clear();
    } else {
      info.order = Order::Proved;
      info.why = "no two iterations touch one element";
      for (const RangeGuard &guard : guards)
        addGuard(state, guard);
    }
  }

  std::map<unsigned, Refusal> obstacles;

private:
  void obstacle(unsigned loop, SourceLocation at, const std::string &message,
                SourceLocation other = {}, const std::string &note = "") {
    Refusal r;
    r.id = "carried-dependence";
    r.place = placeOf(state.sources, state.sources.getFileLoc(at));
    r.message = message;
    if (other.isValid())
      r.notes.push_back(
          {placeOf(state.sources, state.sources.getFileLoc(other)), note});
    state.contract.loops[loop].why = message;
    obstacles.emplace(loop, r);
  }

  /// The first read of the loop's counter behind the loop, in the region.
  const ScalarEvent *counterReadAfter(unsigned loop) const {
    const VarDecl *counter = state.loopFacts[loop].counter;
    const ScalarEvent *next = nullptr;
    for (const ScalarEvent &e : state.events) {
      if (e.variable != counter)
        continue;
      if (llvm::is_contained(e.path, loop))
        next = nullptr;
      else if (!next)
        next = &e;
    }
    return next && next->kind != ScalarEvent::Write ? next : nullptr;
  }

  bool scalars(unsigned loop) {
    if (const ScalarEvent *read = counterReadAfter(loop)) {
      obstacle(loop, read->place,
               "the last value of '" + read->variable->getNameAsString() +
                   "' is used here");
      return false;
    }
    if (auto moved = state.carried.find(loop); moved != state.carried.end()) {
      obstacle(loop, state.loopFacts[loop].statement->getForLoc(),
               "'" + moved->second.begin()->first->getNameAsString() +
                   "' carries a value from one iteration to the next");
      return false;
    }
    std::set<const VarDecl *> seen;
    for (size_t i = 0; i < state.events.size(); ++i) {
      const VarDecl *v = state.events[i].variable;
      if (!seen.insert(v).second || isDeclaredUnder(state, v, loop) ||
          v == state.loopFacts[loop].counter)
        continue;
      ScalarUse use = scalarUse(state, loop, v);
      if (!use.assigned || use.privateHere)
        continue;
      if (use.reduction.empty()) {
        if (addSelection(state, loop, v) || addScan(state, loop, v))
          continue;
        obstacle(loop, use.place,
                 "'" + v->getNameAsString() +
                     "' carries a value from one iteration to the next");
        return false;
      }
      if (!addReduction(loop, v, use))
        return false;
    }
    return true;
  }

  bool addReduction(unsigned loop, const VarDecl *v, const ScalarUse &use) {
    auto type =
        elementType(state.unit.context, v->getType().getNonReferenceType());
    if (!type) {
      obstacle(loop, use.place,
               "'" + v->getNameAsString() +
                   "' has a type that can't be reduced");
      return false;
    }
    if (type->kind == ElementType::Float &&
        !state.contract.floats.reassociate) {
      obstacle(loop, use.place,
               "the sum in '" + v->getNameAsString() +
                   "' may not be reordered: autokernel_reassociate(off)");
      return false;
    }
    state.contract.loops[loop].reductions.push_back(
        {v->getNameAsString(), use.reduction, *type});
    return true;
  }

  bool isUnder(const AccessFact &a, unsigned loop) const {
    return llvm::is_contained(a.access.path, loop);
  }

  bool arrays(unsigned loop) {
    std::vector<const AccessFact *> here;
    for (const AccessFact &a : state.accesses)
      if (isUnder(a, loop) && !isDeclaredUnder(state, a.array, loop))
        here.push_back(&a);
    for (size_t i = 0; i < here.size(); ++i)
      for (size_t j = i; j < here.size(); ++j)
        if (!pair(loop, *here[i], *here[j]))
          return false;
    return true;
  }

  bool pair(unsigned loop, const AccessFact &a, const AccessFact &b) {
    if (a.array != b.array || (!a.writes && !b.writes))
      return true;
    if (a.isLocal) {
      obstacle(loop, a.writes ? a.place : b.place,
               "the local array '" + a.array->getNameAsString() +
                   "' is shared by the iterations");
      return false;
    }
    ConflictAnswer answer = tester.test(loop, a.access, b.access);
    if (answer.conflict == Conflict::None) {
      guards.insert(guards.end(), answer.guards.begin(), answer.guards.end());
      return true;
    }
    if (a.accumulates && b.accumulates && a.op == b.op && atomic(loop, a))
      return true;
    if (movesOn(state, loop, a, b) || isOrdered(loop, a))
      return true;
    const AccessFact &write = a.writes ? a : b, &other = a.writes ? b : a;
    std::string relation =
        &a == &b ? " is written by several iterations"
                 : " is written by one iteration and " +
                       std::string(other.writes ? "written" : "read") + " as " +
                       other.text + " by another";
    if (answer.distance)
      relation += " (" + std::to_string(std::abs(*answer.distance)) +
                  " iteration" + (std::abs(*answer.distance) == 1 ? "" : "s") +
                  " apart)";
    obstacle(loop, write.place, write.text + relation, other.place,
             "the other access is here");
    return false;
  }

  /// Accumulation from several iterations, where the hardware has an atomic.
  bool atomic(unsigned loop, const AccessFact &a) {
    auto it = state.paramOf.find(a.array);
    if (it == state.paramOf.end())
      return false;
    const ElementType &type = state.contract.params[it->second].type;
    bool wide = type.bits == 32 || type.bits == 64;
    bool isFloat = type.kind == ElementType::Float;
    if (!wide ||
        (isFloat && (a.op != "+" || !state.contract.floats.reassociate)))
      return false;
    if (a.op == "*" || a.op == "&&" || a.op == "||")
      return false;
    std::vector<std::string> &names = state.contract.loops[loop].atomics;
    std::string name = a.array->getNameAsString();
    if (!llvm::is_contained(names, name))
      names.push_back(name);
    return true;
  }

  /// Stores to elements that data name, never read by the loop: the last one
  /// to an element counts.
  bool isOrdered(unsigned loop, const AccessFact &a) {
    auto it = state.paramOf.find(a.array);
    if (it == state.paramOf.end())
      return false;
    for (const AccessFact &other : state.accesses)
      if (other.array == a.array && isUnder(other, loop) &&
          (!other.writes || other.accumulates || !isFromData(other)))
        return false;
    Param &p = state.contract.params[it->second];
    if (!p.extent && !giveDeclaredLength(state, a.array))
      return false;
    std::vector<std::string> &names = state.contract.loops[loop].ordered;
    if (!llvm::is_contained(names, p.name))
      names.push_back(p.name);
    return true;
  }

  static bool isFromData(const AccessFact &a) {
    return !a.access.index.known ||
           llvm::any_of(a.access.index.code,
                        [](const Instr &i) { return i.op == Op::Data; });
  }

  RegionState &state;
  DependenceTester tester;
  std::vector<RangeGuard> guards;
};

bool isClaimed(const RegionState &state) {
  for (const AnnotateAttr *clause : state.site.clauses)
    if (clauseName(clause) == "autokernel_independent")
      return true;
  return false;
}

bool mayRun(const Loop &loop) { return loop.order != Order::Sequential; }

/// Its steps can follow each other from the launcher or inside one block.
bool isSteppable(const RegionState &state, unsigned loop) {
  const Loop &info = state.contract.loops[loop];
  if (state.loopFacts[loop].leaves.isValid())
    return false;
  for (const IndexExpr *e : {&info.first, &info.last, &info.step})
    if (e->code.empty() || llvm::any_of(e->code, [](const Instr &i) {
          return i.op == Op::Unknown || i.op == Op::Data;
        }))
      return false;
  return true;
}

/// A parallel loop whose outer loops are all stepped through.
bool hasParallelSteps(const RegionState &state) {
  const Contract &contract = state.contract;
  return llvm::any_of(contract.loops, [&](const Loop &loop) {
    if (!mayRun(loop) || state.loopFacts[loop.id].conditional)
      return false;
    for (int p = loop.parent; p >= 0; p = contract.loops[p].parent)
      if (mayRun(contract.loops[p]) || !isSteppable(state, p))
        return false;
    return true;
  });
}

/// The first loop under `root` that could run in parallel, for the help line.
const Loop *parallelBelow(const Contract &contract, unsigned root) {
  for (const Loop &loop : contract.loops) {
    if (!mayRun(loop))
      continue;
    for (int p = loop.parent; p >= 0; p = contract.loops[p].parent)
      if (unsigned(p) == root)
        return &loop;
  }
  return nullptr;
}

} // namespace

void decideOrders(RegionState &state) {
  Decider decider(state);
  for (unsigned loop = 0; loop < state.contract.loops.size(); ++loop)
    decider.decide(loop);
  bool claimed = isClaimed(state), any = false;
  for (Loop &loop : state.contract.loops) {
    if (loop.parent >= 0)
      continue;
    if (claimed && (!mayRun(loop) || !loop.ordered.empty())) {
      loop.order = Order::Claimed;
      loop.ordered.clear(); // no two iterations store to one place
      loop.why = "claimed by autokernel_independent";
    }
    any |= mayRun(loop);
  }
  if (any || state.failed() || hasParallelSteps(state))
    return;
  for (Loop &loop : state.contract.loops) {
    if (loop.parent >= 0 || !decider.obstacles.count(loop.id))
      continue;
    Refusal refusal = decider.obstacles.at(loop.id);
    if (state.loopFacts[loop.id].leaves.isValid())
      refusal.id = "leaves-early";
    if (const Loop *help = parallelBelow(state.contract, loop.id))
      refusal.notes.push_back(
          {help->place, "the loop over '" + help->counter +
                            "' is parallel; put the attribute there"});
    state.refusal = refusal;
    return;
  }
  state.refuse(state.site.statement->getBeginLoc(), "nothing-parallel",
               "there is no loop in this region that could run in parallel");
}

} // namespace autokernel
