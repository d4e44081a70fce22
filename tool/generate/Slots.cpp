// Which scalars one phase leaves for another, in the workspace or a result.

#include "generate/Plan.h"
#include "generate/Text.h"

#include "llvm/ADT/STLExtras.h"

namespace autokernel {

namespace {

/// Follows one scalar through nodes in the order in which they run.
class Follower {
public:
  Follower(const Contract &contract, const std::string &name)
      : contract(contract), name(name) {}

  /// True where a node may read the scalar while `set` is false.
  bool reads(const std::vector<Node> &nodes, bool &set) const {
    return llvm::any_of(nodes,
                        [&](const Node &node) { return reads(node, set); });
  }

private:
  bool reads(const Node &node, bool &set) const {
    if (set)
      return false;
    bool below = set;
    switch (node.kind) {
    case Node::Block:
      return reads(node.body, set);
    case Node::If:
      if (mentions(node.text, name))
        return true;
      if (reads(node.body, below))
        return true;
      below = set;
      return reads(node.otherwise, below);
    case Node::LoopNest: {
      const Loop &loop = contract.loops[node.loop];
      if (mentions(loop.firstText + " " + loop.boundText + " " + loop.stepText,
                   name))
        return true;
      below |= loop.counter == name;
      return reads(node.body, below);
    }
    case Node::Text:
      for (const Node::Local &l : node.locals)
        set |= l.name == name;
      if (set)
        return false;
      if (llvm::is_contained(node.scalarReads, name))
        return true;
      set |= llvm::is_contained(node.assigns, name);
      return false;
    }
    llvm_unreachable("all kinds are handled");
  }

  const Contract &contract;
  const std::string &name;
};

class SlotFinder {
public:
  SlotFinder(const Model &model, Plan &plan)
      : model(model), contract(model.contract), plan(plan) {}

  llvm::Error run() {
    for (const Param &p : contract.params)
      if (!p.isArray && p.role != Role::In)
        if (llvm::Error e = add(p.name, p.type.spelling, true))
          return e;
    for (const Phase &phase : plan.phases) {
      if (llvm::Error e = fromPhase(phase))
        return e;
      for (const Reduction &r : phase.reductions)
        if (llvm::Error e = add(r.variable, r.type.spelling, false))
          return e;
      for (const Reduction &r : phase.scans)
        if (llvm::Error e = add(r.variable, r.type.spelling, false))
          return e;
      for (const Selection &s : phase.selections)
        for (const Reduction &v : s.variables)
          if (llvm::Error e = add(v.variable, v.type.spelling, false))
            return e;
    }
    return llvm::Error::success();
  }

private:
  llvm::Error add(const std::string &name, const std::string &type,
                  bool isResult) {
    for (const Slot &slot : plan.slots)
      if (slot.name == name)
        return slot.isResult || slot.type == type
                   ? llvm::Error::success()
                   : generatorLimit("two scalars of different types are called "
                                    "'" +
                                    name + "'");
    plan.slots.push_back({name, type, isResult});
    return llvm::Error::success();
  }

  bool isWanted(const std::string &name) const {
    auto isName = [&](const Reduction &r) { return r.variable == name; };
    return llvm::any_of(plan.phases, [&](const Phase &phase) {
      return reads(contract, phase, name) ||
             llvm::any_of(phase.reductions, isName) ||
             llvm::any_of(phase.scans, isName) ||
             llvm::any_of(phase.selections, [&](const Selection &s) {
               return llvm::any_of(s.variables, isName);
             });
    });
  }

  /// Another phase than `declaring` sets it, without declaring one of its own.
  bool isSetElsewhere(const Phase &declaring, const std::string &name) const {
    return llvm::any_of(plan.phases, [&](const Phase &phase) {
      return &phase != &declaring && assigns(phase.body, name) &&
             !declares(phase.body, name);
    });
  }

  static bool declares(const std::vector<Node> &nodes,
                       const std::string &name) {
    return llvm::any_of(nodes, [&](const Node &node) {
      return declares(node.body, name) || declares(node.otherwise, name) ||
             llvm::any_of(node.locals,
                          [&](const Node::Local &l) { return l.name == name; });
    });
  }

  /// What a phase declares or sets, and some phase reads.
  llvm::Error fromPhase(const Phase &phase) {
    bool single = phase.kind == Phase::Single;
    for (const Node &node : phase.body)
      for (const Node::Local &l : node.locals) {
        if (!single || !(isWanted(l.name) || isSetElsewhere(phase, l.name)))
          continue;
        if (l.type.empty())
          return generatorLimit("'" + l.name +
                                "' is shared by several loops of the region");
        if (llvm::Error e = add(l.name, l.type, false))
          return e;
      }
    for (const Node::Local &l : model.privates) {
      if (!assigns(phase.body, l.name) || !isWanted(l.name))
        continue;
      if (single || (phase.kind == Phase::Rows && phase.loops.empty()))
        if (llvm::Error e = add(l.name, l.type, false))
          return e;
    }
    return llvm::Error::success();
  }

  const Model &model;
  const Contract &contract;
  Plan &plan;
};

} // namespace

bool reads(const Contract &contract, const Phase &phase,
           const std::string &name) {
  auto counts = [&](unsigned loop) {
    return contract.loops[loop].counter == name;
  };
  bool set =
      llvm::any_of(phase.around, counts) || llvm::any_of(phase.loops, counts);
  Follower follower(contract, name);
  return follower.reads(phase.between, set) || follower.reads(phase.body, set);
}

bool assigns(const std::vector<Node> &nodes, const std::string &name) {
  return llvm::any_of(nodes, [&](const Node &node) {
    return llvm::is_contained(node.assigns, name);
  });
}

llvm::Error findSlots(const Model &model, Plan &plan) {
  return SlotFinder(model, plan).run();
}

} // namespace autokernel
