// Code for the scalars that one iteration of a loop decides, and for stores
// whose order counts. Internal to generate.
//
// Every thread remembers which of its iterations made the choice; blocks, and
// then the combining kernel, compare these and keep the winner's scalars.
#pragma once

#include "generate/KernelText.h"

namespace autokernel {

/// The nodes with each ordered store as `text(store, array)` says.
template <class F>
std::vector<Node> withStores(std::vector<Node> nodes,
                             const std::set<std::string> &ordered, F text) {
  for (Node &node : nodes) {
    if (node.store && !node.writes.empty() && ordered.count(node.writes[0]))
      node.text = text(*node.store, node.writes[0]);
    node.body = withStores(std::move(node.body), ordered, text);
    node.otherwise = withStores(std::move(node.otherwise), ordered, text);
  }
  return nodes;
}

class ChoiceText : public KernelText {
protected:
  using KernelText::KernelText;

  static bool isFirst(const Selection &s) { return s.op == "<" || s.op == ">"; }
  static std::string reductionOf(const Selection &s) {
    return s.op[0] == '>' ? "max" : "min";
  }
  std::string atName(const Selection &s) const {
    return "autokernel_at_" + s.variables[0].variable; // no user's name
  }
  std::string partialAt(const Selection &s) const {
    return "autokernel_partial_" + s.variables[0].variable;
  }
  static const Reduction &keyOf(const Selection &s) {
    for (const Reduction &v : s.variables)
      if (v.variable == s.key)
        return v;
    llvm_unreachable("the key is one of the variables");
  }

  static bool isChosen(const Phase &p, const std::string &name) {
    return llvm::any_of(p.selections, [&](const Selection &s) {
      return llvm::any_of(
          s.variables, [&](const Reduction &v) { return v.variable == name; });
    });
  }

  /// Buffers of one value a block: name and type.
  std::vector<std::pair<std::string, std::string>>
  buffersOf(const Selection &s) const {
    std::vector<std::pair<std::string, std::string>> out = {
        {partialAt(s), "long long"}};
    for (const Reduction &v : s.variables)
      out.push_back({partialName(v), v.type.spelling});
    return out;
  }

  std::string startOf(const Selection &s) const {
    std::string out = "long long " + atName(s) + " = -1; // the iteration\n";
    for (const Reduction &v : s.variables)
      out += v.type.spelling + " " + v.variable + " = " +
             slotPlace(*slotOf(v.variable)) + ";\n";
    return out;
  }

  /// Which iteration wins in the block, and whether any does.
  std::string chosenLines(const Selection &s,
                          std::set<std::string> &operators) const {
    std::string at = atName(s), none = "-1", chosen;
    std::string which = s.key.empty() || !isFirst(s) ? "max" : "min";
    operators.insert(which);
    if (s.key.empty()) {
      chosen = at;
    } else {
      const Reduction &key = keyOf(s);
      std::string op = reductionOf(s), type = key.type.spelling;
      if (isFirst(s))
        none = "9223372036854775807ll";
      operators.insert(op);
      Reduction identity{key.variable, op, key.type};
      chosen = "const " + type + " " + fresh("top") + " = block_reduce(" + at +
               " < 0 ? static_cast<" + type + ">(" + identityOf(identity) +
               ") : " + s.key + ", " + operatorName(op) + "());\n";
      return chosen + chosenLine(at + " >= 0 && " + s.key + " == " +
                                     fresh("top") + " ? " + at + " : " + none,
                                 which, none);
    }
    return chosenLine(chosen, which, none);
  }

  std::string chosenLine(const std::string &value, const std::string &op,
                         const std::string &none) const {
    std::string chosen = fresh("chosen");
    return "const long long " + chosen + " = block_reduce<long long>(" + value +
           ", " + operatorName(op) + "());\nconst bool " + fresh("any") +
           " = " + chosen + " != " + none + ";\n";
  }

  std::string finishOf(const Selection &s,
                       std::set<std::string> &operators) const {
    std::string at = atName(s), stores;
    stores += "  " + partialAt(s) + "[blockIdx.x] = " + at + ";\n";
    for (const Reduction &v : s.variables)
      stores += "  " + partialName(v) + "[blockIdx.x] = " + v.variable + ";\n";
    return "{\n" +
           indent(chosenLines(s, operators) + "if (" + fresh("any") + " ? " +
                      at + " == " + fresh("chosen") +
                      " : threadIdx.x == 0) {\n" + stores + "}\n",
                  2) +
           "}\n";
  }

  std::string combineOf(const Selection &s,
                        std::set<std::string> &operators) const {
    std::string at = atName(s), out, keep, store;
    std::string other = partialAt(s) + "[block]";
    out = "long long " + at + " = -1;\n";
    keep = at + " = " + other + ";\n";
    for (const Reduction &v : s.variables) {
      std::string partial = partialName(v) + "[block]";
      out += v.type.spelling + " " + v.variable + " = " + v.type.spelling +
             "();\n";
      keep += v.variable + " = " + partial + ";\n";
      store += slotPlace(*slotOf(v.variable)) + " = " + v.variable + ";\n";
    }
    std::string better = other + " > " + at;
    if (!s.key.empty()) {
      std::string key = partialName(keyOf(s)) + "[block]";
      better = at + " < 0 || " + key + " " + s.op.substr(0, 1) + " " + s.key +
               " || (" + key + " == " + s.key + " && " + other +
               (isFirst(s) ? " < " : " > ") + at + ")";
    }
    out += "for (unsigned block = threadIdx.x; block < blocks; block += "
           "blockDim.x)\n  if (" +
           other + " >= 0 && (" + better + ")) {\n" + indent(keep, 4) +
           "  }\n{\n" +
           indent(chosenLines(s, operators) + "if (" + fresh("any") + " && " +
                      at + " == " + fresh("chosen") + ") {\n" +
                      indent(store, 2) + "}\n",
                  2) +
           "}\n";
    return out;
  }

  /// The statements that make a choice note the iteration, too.
  std::string withMarks(std::string text, const Phase &p,
                        const std::string &item) const {
    for (const Selection &s : p.selections)
      replaceAll(text, markOf(s.mark), atName(s) + " = " + item + ", ");
    return withoutMarks(text);
  }

  // --- stores whose order counts ---

  std::string lastName(const std::string &array) const {
    return fresh("last_" + array);
  }
  std::string lastOf(const Node::Store &store, const std::string &array) const {
    const Param *p = contract.param(array);
    std::string base = rowShape(*p).empty() ? array : array + "_data";
    return lastName(array) + "[&(" + store.target + ") - " + base + "]";
  }
  std::vector<Node> markingBody(const Phase &p, const std::string &item) const {
    return withStores(p.body, p.ordered,
                      [&](const Node::Store &store, const std::string &array) {
                        return "atomicMax(&" + lastOf(store, array) + ", " +
                               item + ");";
                      });
  }
  std::vector<Node> storingBody(const Phase &p, const std::string &item) const {
    return withStores(p.body, p.ordered,
                      [&](const Node::Store &store, const std::string &array) {
                        return "if (" + lastOf(store, array) + " == " + item +
                               ")\n  " + store.target + " = " + store.value +
                               ";";
                      });
  }
  std::string extentBytes(const std::string &array) const {
    const std::string &text = contract.param(array)->extent->text;
    return "static_cast<size_t>((" + text + ") > 0 ? (" + text +
           ") : 0) * sizeof(long long)";
  }
};

} // namespace autokernel
