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
    if (llvm::Error e = sequence(topLevel()))
      return e;
    if (llvm::Error e = findSlots())
      return e;
    return plan;
  }

private:
  std::vector<Node> topLevel() const {
    if (model.root.kind == Node::Block)
      return model.root.body;
    return {model.root};
  }

  llvm::Error sequence(const std::vector<Node> &nodes) {
    for (const Node &node : nodes) {
      if (isPureText(node)) {
        plan.prelude.push_back(node);
      } else if (isParallel(contract, node)) {
        if (llvm::Error e = loop(node))
          return e;
      } else {
        single(node);
      }
    }
    if (plan.phases.empty())
      return generatorLimit("the region has no loop to map");
    return llvm::Error::success();
  }

  void single(const Node &node) {
    if (plan.phases.empty() || plan.phases.back().kind != Phase::Single) {
      plan.phases.emplace_back();
      plan.phases.back().kind = Phase::Single;
    }
    plan.phases.back().body.push_back(node);
  }

  /// Can be computed before the launch, for all iterations at once.
  bool isLaunchable(const Loop &loop) const {
    std::set<std::string> names;
    collectIdentifiers(
        loop.firstText + " " + loop.boundText + " " + loop.stepText, names);
    for (const Param &p : contract.params)
      if (names.count(p.name) && (p.isArray || p.role != Role::In))
        return false;
    for (const Node::Local &l : model.privates)
      if (names.count(l.name))
        return false;
    return !dependsOnCounter(loop);
  }

  static bool dependsOnCounter(const Loop &loop) {
    for (const IndexExpr *e : {&loop.first, &loop.last, &loop.step})
      for (const Instr &i : e->code)
        if (i.op == Op::Counter || i.op == Op::Data || i.op == Op::Unknown)
          return true;
    return false;
  }

  llvm::Error loop(const Node &node) {
    Phase phase;
    phase.loops = {node.loop};
    phase.body = node.body;
    const Loop &outer = contract.loops[node.loop];
    if (!isLaunchable(outer))
      return generatorLimit("the bounds of the loop over '" + outer.counter +
                            "' can't be computed before the launch");
    phase.reductions = outer.reductions;
    phase.atomics.insert(outer.atomics.begin(), outer.atomics.end());
    while (collapse(phase)) {
    }
    if (!atomicsArePrintable(phase.body, phase.atomics))
      return generatorLimit("an update that several iterations share is part "
                            "of a larger expression");
    phase.kind = kindOf(phase);
    plan.phases.push_back(std::move(phase));
    return llvm::Error::success();
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
    if (inner.reductions.size() != phase.reductions.size())
      return false;
    for (const Reduction &r : inner.reductions)
      if (llvm::none_of(phase.reductions, [&](const Reduction &o) {
            return o.variable == r.variable && o.op == r.op;
          }))
        return false;
    return true;
  }

  Phase::Kind kindOf(const Phase &phase) {
    if (!phase.reductions.empty())
      return Phase::Reduce;
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
      if (isParallel(contract, node) &&
          contract.loops[node.loop].atomics.empty()) {
        reduces |= !contract.loops[node.loop].reductions.empty();
        writes |= !node.writes.empty();
      }
      sharedLoops(node.body, reduces, writes);
      sharedLoops(node.otherwise, reduces, writes);
    }
  }

  // --- scalars between phases ---

  std::string textOf(const Phase &phase) const {
    std::string text =
        allText(contract, phase.body) + allText(contract, phase.between);
    for (unsigned l : phase.loops)
      text += contract.loops[l].boundText + "\n" + contract.loops[l].firstText +
              "\n";
    for (const Reduction &r : phase.reductions)
      text += r.variable + "\n";
    return text;
  }

  void addSlot(const std::string &name, const std::string &type,
               bool isResult) {
    for (const Slot &slot : plan.slots)
      if (slot.name == name)
        return;
    plan.slots.push_back({name, type, isResult});
  }

  llvm::Error findSlots() {
    for (const Param &p : contract.params)
      if (!p.isArray && p.role != Role::In)
        addSlot(p.name, p.type.spelling, true);
    for (size_t i = 0; i < plan.phases.size(); ++i) {
      if (llvm::Error e = slotsFrom(i))
        return e;
      for (const Reduction &r : plan.phases[i].reductions)
        addSlot(r.variable, r.type.spelling, false);
    }
    return llvm::Error::success();
  }

  /// What a single-thread phase declares and another phase uses.
  llvm::Error slotsFrom(size_t index) {
    const Phase &phase = plan.phases[index];
    if (phase.kind != Phase::Single)
      return llvm::Error::success();
    auto usedElsewhere = [&](const std::string &name) {
      for (size_t j = 0; j < plan.phases.size(); ++j)
        if (j != index && mentions(textOf(plan.phases[j]), name))
          return true;
      return false;
    };
    for (const Node &node : phase.body) {
      for (const Node::Local &l : node.locals) {
        if (!usedElsewhere(l.name))
          continue;
        if (l.type.empty())
          return generatorLimit("'" + l.name +
                                "' is shared by several loops of the region");
        addSlot(l.name, l.type, false);
      }
      for (const Node::Local &l : model.privates)
        if (llvm::is_contained(node.assigns, l.name) && usedElsewhere(l.name))
          addSlot(l.name, l.type, false);
    }
    return llvm::Error::success();
  }

  const Model &model;
  const Contract &contract;
  Plan plan;
};

} // namespace

llvm::Expected<Plan> planPhases(const Model &model) {
  return Planner(model).run();
}

} // namespace autokernel
