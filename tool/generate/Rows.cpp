// What a block runs that shares one row: barriers where memory asks for them.

#include "generate/Plan.h"
#include "generate/Text.h"

#include "llvm/ADT/STLExtras.h"

namespace autokernel {

namespace {

/// Emits nodes for all threads of a block. Arrays touched since the last
/// barrier are remembered; whoever would read another thread's write, or write
/// what another thread still reads, waits first.
class RowWriter {
public:
  RowWriter(const Model &model, const std::set<std::string> &atomics,
            std::set<std::string> &operators)
      : model(model), atomics(atomics), operators(operators) {}

  bool ok = true;

  std::string nodes(const std::vector<Node> &list) {
    std::string out;
    for (const Node &node : list)
      if (ok)
        out += one(node);
    return out;
  }

private:
  bool isClean() const { return read.empty() && written.empty(); }

  std::string barrierFor(const Node &node) {
    bool needed = false;
    for (const std::string &name : node.reads)
      needed |= written.count(name) != 0;
    for (const std::string &name : node.writes)
      needed |= written.count(name) || read.count(name);
    if (!needed)
      return "";
    read.clear();
    written.clear();
    return "__syncthreads();\n";
  }

  void remember(const Node &node) {
    read.insert(node.reads.begin(), node.reads.end());
    written.insert(node.writes.begin(), node.writes.end());
  }

  std::string one(const Node &node) {
    switch (node.kind) {
    case Node::Text:
      return text(node);
    case Node::Block:
      return "{\n" + indent(nodes(node.body), 2) + "}\n";
    case Node::If:
      return branch(node);
    case Node::LoopNest:
      return loop(node);
    }
    llvm_unreachable("all kinds are handled");
  }

  /// All threads compute scalars; one thread stores to arrays.
  std::string text(const Node &node) {
    std::string out = barrierFor(node);
    remember(node);
    if (node.writes.empty())
      return out + withoutMarks(node.text) + "\n";
    ok &= node.locals.empty() && node.assigns.empty() &&
          !mentions(node.text, "continue");
    return out + "if (threadIdx.x == 0) {\n" +
           indent(bodyText(model, {node}, atomics), 2) + "}\n";
  }

  /// The condition is the same for all threads of the block.
  std::string branch(const Node &node) {
    Node condition;
    condition.reads = node.reads;
    std::string out = barrierFor(condition);
    read.insert(node.reads.begin(), node.reads.end());
    std::set<std::string> r = read, w = written;
    out += "if (" + node.text + ") {\n" + indent(nodes(node.body), 2) + "}";
    std::swap(r, read);
    std::swap(w, written);
    if (!node.otherwise.empty())
      out += " else {\n" + indent(nodes(node.otherwise), 2) + "}";
    read.insert(r.begin(), r.end());
    written.insert(w.begin(), w.end());
    return out + "\n";
  }

  std::string loop(const Node &node) {
    const Loop &info = model.contract.loops[node.loop];
    if (isShareable(model.contract, node)) {
      if (info.atomics.empty())
        return sharedLoop(node, info);
      std::vector<Node::Update> sums = elementSums(model.contract, node);
      if (info.reductions.empty() && !sums.empty())
        return elementLoop(node, info, sums);
    }
    bool inner = hasShared(node.body);
    if (!inner)
      return privateLoop(node, info);
    return steppedLoop(node, info);
  }

  bool hasShared(const std::vector<Node> &list) const {
    for (const Node &node : list) {
      if (isShareable(model.contract, node) &&
          (model.contract.loops[node.loop].atomics.empty() ||
           !elementSums(model.contract, node).empty()))
        return true;
      if (hasShared(node.body) || hasShared(node.otherwise))
        return true;
    }
    return false;
  }

  /// The threads take turns through the iterations.
  std::string sharedLoop(const Node &node, const Loop &info) {
    std::string out = barrierFor(node);
    remember(node);
    std::string before, own, after;
    for (const Reduction &r : info.reductions) {
      std::string v = r.variable, op = operatorName(r.op) + "()";
      std::string saved = v + "_before", all = v;
      if (ElementType share = accumulatorOf(r); share == r.type) {
        before += "const " + r.type.spelling + " " + saved + " = " + v + ";\n" +
                  v + " = " + identityOf(r) + ";\n";
      } else {
        all = v + "_total";
        before += r.type.spelling + " &" + all + " = " + v + ";\n";
        own += share.spelling + " " + v + " = " + identityOf(r) + ";\n";
        saved = all;
      }
      after += all + " = " + op + "(" + saved + ", " +
               fromAccumulator(r, "block_reduce(" + v + ", " + op + ")") +
               ");\n";
      operators.insert(r.op);
    }
    std::string body = bodyText(model, node.body, atomics);
    std::string code =
        own + sharedLoopHeader(info) + " {\n" + indent(body, 2) + "}\n" + after;
    if (!own.empty())
      code = "{\n" + indent(code, 2) + "}\n";
    code = before + code;
    if (info.reductions.empty())
      return out + code;
    return out + "{\n" + indent(code, 2) + "}\n";
  }

  /// The threads take turns through the iterations; what they add to one
  /// element meets in a block reduction.
  std::string elementLoop(const Node &node, const Loop &info,
                          const std::vector<Node::Update> &sums) {
    std::string out = barrierFor(node), before, after;
    remember(node);
    for (size_t k = 0; k < sums.size(); ++k) {
      const Node::Update &sum = sums[k];
      Reduction r{"autokernel_sum" + std::to_string(k), sum.op, sum.type};
      before +=
          sum.type.spelling + " " + r.variable + " = " + identityOf(r) + ";\n";
      std::string op = operatorName(r.op) + "()";
      after += r.variable + " = block_reduce(" + r.variable + ", " + op +
               ");\nif (threadIdx.x == 0)\n  " + sum.target + " = " + op + "(" +
               sum.target + ", " + r.variable + ");\n";
      operators.insert(r.op);
    }
    std::string terms;
    for (const Node &child : node.body)
      terms += elementTerm(child, sums);
    std::string code = before + sharedLoopHeader(info) + " {\n" +
                       indent(terms, 2) + "}\n" + after;
    return out + "{\n" + indent(code, 2) + "}\n";
  }

  std::string elementTerm(const Node &node,
                          const std::vector<Node::Update> &sums) {
    if (!node.update)
      return bodyText(model, {node}, {});
    for (size_t k = 0; k < sums.size(); ++k) {
      if (sums[k].target != node.update->target)
        continue;
      const Node::Update &u = *node.update;
      std::string operand = u.operand.empty() ? "1" : u.operand;
      if (u.negative)
        operand = "-(" + operand + ")";
      std::string name = "autokernel_sum" + std::to_string(k);
      return name + " = " + operatorName(u.op) + "()(" + name +
             ", static_cast<" + u.type.spelling + ">(" + operand + "));\n";
    }
    return bodyText(model, {node}, {});
  }

  /// A loop without shared loops inside: every thread computes its scalars, or
  /// one thread does its stores.
  std::string privateLoop(const Node &node, const Loop &info) {
    std::string out = barrierFor(node);
    remember(node);
    std::string code = loopHeader(info) + " {\n" +
                       indent(bodyText(model, node.body, atomics), 2) + "}\n";
    if (node.writes.empty())
      return out + code;
    ok &= !assignsOutside(node);
    return out + "if (threadIdx.x == 0) {\n" + indent(code, 2) + "}\n";
  }

  /// Scalars assigned in the loop that are declared before it.
  bool assignsOutside(const Node &node) const {
    std::set<std::string> inside;
    collectLocals(node.body, inside);
    return llvm::any_of(node.assigns, [&](const std::string &name) {
      return !inside.count(name);
    });
  }

  static void collectLocals(const std::vector<Node> &list,
                            std::set<std::string> &out) {
    for (const Node &node : list) {
      for (const Node::Local &local : node.locals)
        out.insert(local.name);
      collectLocals(node.body, out);
      collectLocals(node.otherwise, out);
    }
  }

  /// One iteration after the other, each shared by the block.
  std::string steppedLoop(const Node &node, const Loop &info) {
    std::string out = barrierFor(node);
    if (!node.writes.empty() && out.empty() && !isClean())
      out = "__syncthreads();\n";
    read.clear();
    written.clear();
    std::string body = nodes(node.body);
    if (!node.writes.empty())
      body += "__syncthreads();\n";
    if (!node.writes.empty()) {
      read.clear();
      written.clear();
    }
    // `continue` would let some iterations end without the barrier; it is the
    // same for all threads, but the arrays would stay marked clean.
    for (const Node &child : node.body)
      ok &= child.kind != Node::Text || !mentions(child.text, "continue");
    return out + loopHeader(info) + " {\n" + indent(body, 2) + "}\n";
  }

  const Model &model;
  const std::set<std::string> &atomics;
  std::set<std::string> &operators;
  std::set<std::string> read, written;
};

} // namespace

std::vector<Node::Update> elementSums(const Contract &contract,
                                      const Node &loop) {
  const Loop &info = contract.loops[loop.loop];
  std::set<std::string> varying = {info.counter};
  std::vector<Node::Update> sums;
  for (const Node &node : loop.body) {
    for (const Node::Local &l : node.locals)
      varying.insert(l.name);
    if (node.kind != Node::Text ||
        !llvm::all_of(node.assigns, [&](const std::string &name) {
          return varying.count(name);
        }))
      return {};
    if (node.writes.empty())
      continue;
    if (!node.update || node.writes.size() != 1 ||
        !llvm::is_contained(info.atomics, node.writes[0]))
      return {};
    bool known = llvm::any_of(sums, [&](const Node::Update &u) {
      return u.target == node.update->target;
    });
    for (const Node::Update &u : sums)
      if (known && u.target == node.update->target && u.op != node.update->op)
        return {};
    if (!known)
      sums.push_back(*node.update);
  }
  for (const Node::Update &u : sums)
    for (const std::string &name : varying)
      if (mentions(u.target, name))
        return {};
  return sums;
}

bool rowsText(const Model &model, const std::vector<Node> &nodes,
              const std::set<std::string> &atomics, std::string &out,
              std::set<std::string> &operators) {
  RowWriter writer(model, atomics, operators);
  out = writer.nodes(nodes);
  return writer.ok;
}

} // namespace autokernel
