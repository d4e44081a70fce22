// Cuts a region into phases: which loops become the grid of which kernel.

#include "generate/Plan.h"
#include "generate/Text.h"

#include "llvm/ADT/STLExtras.h"

namespace autokernel {

llvm::Error generatorLimit(const std::string &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s",
                                 message.c_str());
}

bool isParallel(const Contract &contract, const Node &node) {
  return node.kind == Node::LoopNest &&
         contract.loops[node.loop].order != Order::Sequential;
}

bool isShareable(const Contract &contract, const Node &node) {
  return isParallel(contract, node) &&
         contract.loops[node.loop].selections.empty() &&
         contract.loops[node.loop].scans.empty() &&
         contract.loops[node.loop].ordered.empty();
}

bool hasParallelLoop(const Contract &contract, const std::vector<Node> &nodes) {
  for (const Node &node : nodes)
    if (isParallel(contract, node) || hasParallelLoop(contract, node.body) ||
        hasParallelLoop(contract, node.otherwise))
      return true;
  return false;
}

namespace {

bool isPureText(const Node &node) {
  return node.kind == Node::Text && !node.locals.empty() &&
         node.writes.empty() && node.reads.empty() &&
         llvm::all_of(node.locals, [](const Node::Local &l) {
           return l.pure && !l.isArray;
         });
}

class Planner {
public:
  explicit Planner(const Model &model)
      : model(model), contract(model.contract) {}

  llvm::Expected<Plan> run() {
    if (llvm::Error e = sequence(topLevel(), plan.steps))
      return e;
    if (plan.phases.empty())
      return generatorLimit("the region has no loop to map");
    if (llvm::Error e = findSlots(model, plan))
      return e;
    return plan;
  }

private:
  std::vector<Node> topLevel() const {
    if (model.root.kind == Node::Block)
      return model.root.body;
    return {model.root};
  }

  llvm::Error sequence(const std::vector<Node> &nodes,
                       std::vector<Step> &steps) {
    for (const Node &node : nodes) {
      if (isPureText(node)) {
        see(node);
      } else if (isParallel(contract, node)) {
        if (llvm::Error e = loop(node, steps))
          return e;
      } else if (node.kind == Node::Block &&
                 hasParallelLoop(contract, node.body)) {
        std::vector<Node> before = prelude;
        if (llvm::Error e = sequence(node.body, steps))
          return e;
        prelude = std::move(before);
      } else if (isSteppable(node)) {
        if (llvm::Error e = repeat(node, steps))
          return e;
      } else if (isBranch(node)) {
        if (llvm::Error e = branch(node, steps))
          return e;
      } else {
        single(node, steps);
      }
    }
    return llvm::Error::success();
  }

  /// From here on, in this block; another variable of that name is hidden.
  void see(const Node &node) {
    llvm::erase_if(prelude, [&](const Node &other) {
      return other.locals.size() == 1 && node.locals.size() == 1 &&
             other.locals[0].name == node.locals[0].name &&
             llvm::none_of(prelude, [&](const Node &third) {
               return &third != &other &&
                      mentions(third.text, other.locals[0].name);
             });
    });
    prelude.push_back(node);
  }

  void single(const Node &node, std::vector<Step> &steps) {
    bool joins = !steps.empty() && steps.back().kind == Step::Launch &&
                 plan.phases[steps.back().phase].kind == Phase::Single &&
                 !clashes(plan.phases[steps.back().phase].body, node);
    if (!joins) {
      Phase phase;
      phase.kind = Phase::Single;
      launch(std::move(phase), steps);
    }
    plan.phases[steps.back().phase].body.push_back(node);
  }

  /// `node` declares a name that the nodes before it know as something else's,
  /// in a block that is laid flat.
  bool clashes(const std::vector<Node> &before, const Node &node) const {
    std::string text = allText(contract, before);
    return llvm::any_of(node.locals, [&](const Node::Local &l) {
      return mentions(text, l.name);
    });
  }

  void launch(Phase phase, std::vector<Step> &steps) {
    phase.around = around;
    phase.prelude = prelude;
    Step step;
    step.phase = plan.phases.size();
    plan.phases.push_back(std::move(phase));
    steps.push_back(std::move(step));
  }

  // --- loops of the launcher ---

  bool isSteppable(const Node &node) const {
    return node.kind == Node::LoopNest &&
           hasParallelLoop(contract, node.body) &&
           isLaunchable(contract.loops[node.loop]);
  }

  /// One step after the other: by one block where a step is small, else by the
  /// launcher.
  llvm::Error repeat(const Node &node, std::vector<Step> &steps) {
    const Loop &info = contract.loops[node.loop];
    for (unsigned l : around)
      if (contract.loops[l].counter == info.counter)
        return generatorLimit("two nested loops count with '" + info.counter +
                              "'");
    unsigned depth = parallelDepth(node.body);
    bool shrinks = boundsUse(node.body, node.loop);
    if (depth < 2 && (shrinks || !around.empty()) && oneBlock(node, steps))
      return llvm::Error::success();
    Step step;
    step.kind = Step::Repeat;
    step.loop = node.loop;
    step.prelude = prelude;
    around.push_back(node.loop);
    if (llvm::Error e = sequence(node.body, step.steps))
      return e;
    around.pop_back();
    steps.push_back(std::move(step));
    return llvm::Error::success();
  }

  bool oneBlock(const Node &node, std::vector<Step> &steps) {
    Phase phase;
    phase.kind = Phase::Rows;
    phase.body = {node};
    std::string text;
    std::set<std::string> operators;
    if (!rowsText(model, phase.body, {}, text, operators))
      return false;
    launch(std::move(phase), steps);
    return true;
  }

  /// How many loops could make the grid, at most.
  unsigned parallelDepth(const std::vector<Node> &nodes) const {
    unsigned most = 0;
    for (const Node &node : nodes) {
      unsigned below =
          std::max(parallelDepth(node.body), parallelDepth(node.otherwise));
      most = std::max(most, below + isParallel(contract, node));
    }
    return most;
  }

  /// All parallel loops below get longer or shorter with the steps of `loop`.
  bool boundsUse(const std::vector<Node> &nodes, unsigned loop) const {
    for (const Node &node : nodes) {
      if (isParallel(contract, node)) {
        const Loop &l = contract.loops[node.loop];
        bool uses = false;
        for (const IndexExpr *e : {&l.first, &l.last})
          for (const Instr &i : e->code)
            uses |= i.op == Op::Counter && contains(i.value, loop);
        if (!uses)
          return false;
      } else if (!boundsUse(node.body, loop) ||
                 !boundsUse(node.otherwise, loop)) {
        return false;
      }
    }
    return true;
  }

  bool contains(unsigned inner, unsigned outer) const {
    for (int l = inner; l >= 0; l = contract.loops[l].parent)
      if (unsigned(l) == outer)
        return true;
    return false;
  }

  /// A choice the launcher can make: between scalars, once.
  bool isBranch(const Node &node) const {
    return node.kind == Node::If && onlyScalars(node.text) &&
           (hasParallelLoop(contract, node.body) ||
            hasParallelLoop(contract, node.otherwise));
  }

  bool onlyScalars(const std::string &text) const {
    if (text.find_first_of("[.*?{\"'") != std::string::npos)
      return false;
    std::set<std::string> names;
    collectIdentifiers(text, names);
    return llvm::all_of(names, [&](const std::string &name) {
      const Param *p = contract.param(name);
      bool counter = llvm::any_of(around, [&](unsigned l) {
        return contract.loops[l].counter == name;
      });
      return counter || (p && !p->isArray && p->role == Role::In &&
                         p->type.kind != ElementType::Float);
    });
  }

  llvm::Error branch(const Node &node, std::vector<Step> &steps) {
    Step step;
    step.kind = Step::Branch;
    step.condition = node.text;
    if (llvm::Error e = sequence(node.body, step.steps))
      return e;
    if (llvm::Error e = sequence(node.otherwise, step.otherwise))
      return e;
    steps.push_back(std::move(step));
    return llvm::Error::success();
  }

  /// Can be computed before the launch, for all iterations at once.
  bool isLaunchable(const Loop &loop) const {
    std::set<std::string> names;
    collectIdentifiers(
        loop.firstText + " " + loop.boundText + " " + loop.stepText, names);
    for (const Param &p : contract.params)
      if (names.count(p.name) && (p.isArray || p.role != Role::In))
        return false;
    for (unsigned l : around)
      names.erase(contract.loops[l].counter);
    for (const Node::Local &l : model.privates)
      if (names.count(l.name))
        return false;
    return !dependsOnCounter(loop);
  }

  /// On data, or on a counter that the launcher doesn't have.
  bool dependsOnCounter(const Loop &loop) const {
    for (const IndexExpr *e : {&loop.first, &loop.last, &loop.step})
      for (const Instr &i : e->code)
        if (i.op == Op::Data || i.op == Op::Unknown ||
            (i.op == Op::Counter &&
             !llvm::is_contained(around, unsigned(i.value))))
          return true;
    return false;
  }

  llvm::Error loop(const Node &node, std::vector<Step> &steps) {
    Phase phase;
    phase.loops = {node.loop};
    phase.body = node.body;
    const Loop &outer = contract.loops[node.loop];
    if (!isLaunchable(outer))
      return generatorLimit("the bounds of the loop over '" + outer.counter +
                            "' can't be computed before the launch");
    phase.reductions = outer.reductions;
    phase.selections = outer.selections;
    phase.scans = outer.scans;
    phase.atomics.insert(outer.atomics.begin(), outer.atomics.end());
    phase.ordered.insert(outer.ordered.begin(), outer.ordered.end());
    while (collapse(phase)) {
    }
    if (!atomicsArePrintable(phase.body, phase.atomics))
      return generatorLimit("an update that several iterations share is part "
                            "of a larger expression");
    if (!phase.ordered.empty() && !onlyStoresInOrder(phase.body, phase))
      return generatorLimit("the loop over '" + outer.counter +
                            "' does more than store where the order counts");
    if (!phase.scans.empty() && !onlyPlainStores(phase.body))
      return generatorLimit(
          "the loop over '" + outer.counter +
          "' stores or jumps in a way that can't be left out");
    phase.kind = kindOf(phase);
    launch(std::move(phase), steps);
    return llvm::Error::success();
  }

  /// The loop can run a second time just to see which iteration comes last.
  static bool onlyStoresInOrder(const std::vector<Node> &nodes,
                                const Phase &phase) {
    if (!phase.reductions.empty() || !phase.selections.empty() ||
        !phase.atomics.empty())
      return false;
    return llvm::all_of(nodes, [&](const Node &node) {
      if (node.kind != Node::Text)
        return onlyStoresInOrder(node.body, phase) &&
               onlyStoresInOrder(node.otherwise, phase);
      return node.writes.empty() ||
             (node.store && phase.ordered.count(node.writes[0]));
    });
  }

  /// The body can stand twice in a kernel, first without its stores.
  static bool onlyPlainStores(const std::vector<Node> &nodes) {
    return llvm::all_of(nodes, [](const Node &node) {
      return (node.kind != Node::Text || node.writes.empty() || node.store) &&
             !mentions(node.text, "goto") && onlyPlainStores(node.body) &&
             onlyPlainStores(node.otherwise);
    });
  }

  /// Takes the next loop inward into the grid, if nothing stands between.
  bool collapse(Phase &phase) {
    if (phase.body.empty())
      return false;
    const Node &last = phase.body.back();
    if (!isParallel(contract, last))
      return false;
    const Loop &inner = contract.loops[last.loop];
    if (!isLaunchable(inner) || !sameReductions(inner, phase))
      return false;
    for (size_t i = 0; i + 1 < phase.body.size(); ++i)
      if (!isPureText(phase.body[i]))
        return false;
    std::vector<Node> outerText(phase.body.begin(), phase.body.end() - 1);
    Node child = last;
    if (mentionsLocals(inner, outerText))
      return false;
    phase.between.insert(phase.between.end(), outerText.begin(),
                         outerText.end());
    phase.loops.push_back(child.loop);
    phase.atomics.insert(inner.atomics.begin(), inner.atomics.end());
    phase.body = child.body;
    return true;
  }

  static bool mentionsLocals(const Loop &loop, const std::vector<Node> &nodes) {
    std::set<std::string> names;
    collectIdentifiers(
        loop.firstText + " " + loop.boundText + " " + loop.stepText, names);
    for (const Node &node : nodes)
      for (const Node::Local &l : node.locals)
        if (names.count(l.name))
          return true;
    return false;
  }

  static bool sameReductions(const Loop &inner, const Phase &phase) {
    if (inner.reductions.size() != phase.reductions.size() ||
        inner.selections.size() != phase.selections.size() ||
        inner.scans.size() != phase.scans.size() ||
        phase.ordered !=
            std::set<std::string>(inner.ordered.begin(), inner.ordered.end()))
      return false;
    for (size_t i = 0; i < inner.selections.size(); ++i)
      if (inner.selections[i].mark != phase.selections[i].mark)
        return false;
    for (const Reduction &r : inner.reductions)
      if (llvm::none_of(phase.reductions, [&](const Reduction &o) {
            return o.variable == r.variable && o.op == r.op;
          }))
        return false;
    return true;
  }

  Phase::Kind kindOf(const Phase &phase) {
    if (!phase.reductions.empty() || !phase.selections.empty())
      return Phase::Reduce;
    if (!phase.ordered.empty())
      return Phase::Map;
    if (!phase.scans.empty())
      return Phase::Scan;
    bool reduces = false, writes = false;
    sharedLoops(phase.body, reduces, writes);
    if (!writes && !(reduces && phase.loops.size() == 1))
      return Phase::Map;
    std::string text;
    std::set<std::string> operators;
    return rowsText(model, phase.body, phase.atomics, text, operators)
               ? Phase::Rows
               : Phase::Map;
  }

  void sharedLoops(const std::vector<Node> &nodes, bool &reduces,
                   bool &writes) const {
    for (const Node &node : nodes) {
      if (isShareable(contract, node) &&
          contract.loops[node.loop].atomics.empty()) {
        reduces |= !contract.loops[node.loop].reductions.empty();
        writes |= !node.writes.empty();
      }
      sharedLoops(node.body, reduces, writes);
      sharedLoops(node.otherwise, reduces, writes);
    }
  }

  const Model &model;
  const Contract &contract;
  Plan plan;
  std::vector<unsigned> around; // loops of the launcher
  std::vector<Node> prelude;    // pure declarations seen so far
};

} // namespace

llvm::Expected<Plan> planPhases(const Model &model) {
  return Planner(model).run();
}

} // namespace autokernel
