// What one thread runs: the loop's own statements.

#include "generate/Plan.h"
#include "generate/Text.h"

namespace autokernel {

namespace {

std::string atomicFunction(const std::string &op) {
  if (op == "+")
    return "atomicAdd";
  if (op == "min")
    return "atomicMin";
  if (op == "max")
    return "atomicMax";
  return op == "&" ? "atomicAnd" : op == "|" ? "atomicOr" : "atomicXor";
}

/// The type that CUDA's atomics know for it.
std::string atomicType(const Node::Update &u) {
  if (u.type.kind == ElementType::Float)
    return u.type.spelling;
  bool isSigned = u.type.kind == ElementType::Int;
  if (u.type.bits == 32)
    return isSigned ? "int" : "unsigned int";
  bool modular = u.op != "min" && u.op != "max";
  return isSigned && !modular ? "long long" : "unsigned long long";
}

std::string atomicText(const Node::Update &u) {
  std::string type = atomicType(u), address = "&" + u.target;
  if (type != u.type.spelling)
    address = "reinterpret_cast<" + type + " *>(" + address + ")";
  std::string operand = u.operand.empty() ? "1" : u.operand;
  if (u.negative)
    operand = "-(" + operand + ")";
  return atomicFunction(u.op) + "(" + address + ", static_cast<" + type + ">(" +
         operand + "));\n";
}

class BodyWriter {
public:
  BodyWriter(const Model &model, const std::set<std::string> &atomics,
             bool keepMarks)
      : model(model), atomics(atomics), keepMarks(keepMarks) {}

  std::string nodes(const std::vector<Node> &list) {
    std::string out;
    for (const Node &node : list)
      out += one(node);
    return out;
  }

private:
  bool isShared(const Node &node) const {
    for (const std::string &name : node.writes)
      if (atomics.count(name))
        return true;
    return false;
  }

  std::string one(const Node &node) {
    switch (node.kind) {
    case Node::Text:
      if (node.update && isShared(node))
        return atomicText(*node.update);
      return (keepMarks ? node.text : withoutMarks(node.text)) + "\n";
    case Node::Block:
      return "{\n" + indent(nodes(node.body), 2) + "}\n";
    case Node::LoopNest:
      return loopHeader(model.contract.loops[node.loop]) + " {\n" +
             indent(nodes(node.body), 2) + "}\n";
    case Node::If:
      return branch(node);
    }
    llvm_unreachable("all kinds are handled");
  }

  std::string branch(const Node &node) {
    std::string out =
        "if (" + node.text + ") {\n" + indent(nodes(node.body), 2) + "}";
    if (!node.otherwise.empty())
      out += " else {\n" + indent(nodes(node.otherwise), 2) + "}";
    return out + "\n";
  }

  const Model &model;
  const std::set<std::string> &atomics;
  bool keepMarks;
};

} // namespace

std::string bodyText(const Model &model, const std::vector<Node> &nodes,
                     const std::set<std::string> &atomics, bool keepMarks) {
  return BodyWriter(model, atomics, keepMarks).nodes(nodes);
}

bool atomicsArePrintable(const std::vector<Node> &nodes,
                         const std::set<std::string> &atomics) {
  for (const Node &node : nodes) {
    if (node.kind == Node::Text && !node.update)
      for (const std::string &name : node.writes)
        if (atomics.count(name))
          return false;
    if (!atomicsArePrintable(node.body, atomics) ||
        !atomicsArePrintable(node.otherwise, atomics))
      return false;
  }
  return true;
}

std::string allText(const Contract &contract, const std::vector<Node> &nodes) {
  std::string out;
  for (const Node &node : nodes) {
    out += node.text + "\n";
    if (node.kind == Node::LoopNest) {
      const Loop &l = contract.loops[node.loop];
      out += l.firstText + "\n" + l.boundText + "\n" + l.stepText + "\n" +
             l.counter + "\n";
    }
    out += allText(contract, node.body) + allText(contract, node.otherwise);
  }
  return out;
}

} // namespace autokernel
