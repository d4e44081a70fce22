// Names, parameters and declarations that the kernels of a plan share. Internal
// to generate.
#pragma once

#include "generate/Plan.h"
#include "generate/Text.h"

#include "llvm/ADT/STLExtras.h"

namespace autokernel {

struct Argument {
  std::string declaration, value;
};

inline std::string commaList(const std::vector<Argument> &list,
                             bool declarations) {
  std::string out;
  for (const Argument &a : list)
    out += (out.empty() ? "" : ", ") + (declarations ? a.declaration : a.value);
  return out;
}

class KernelText {
protected:
  KernelText(const Model &model, const Plan &plan)
      : model(model), contract(model.contract), plan(plan) {
    collectIdentifiers(allText(contract, {model.root}), taken);
    for (const Param &p : contract.params)
      taken.insert(p.name);
  }

  /// A name for the generated code that the region doesn't use.
  std::string fresh(std::string name) const {
    while (taken.count(name))
      name += "_";
    return name;
  }

  const Slot *slotOf(const std::string &name) const {
    for (const Slot &s : plan.slots)
      if (s.name == name)
        return &s;
    return nullptr;
  }

  bool isConst(const Param &p) const {
    return p.role == Role::In &&
           !llvm::is_contained(model.mutableInKernel, p.name);
  }

  /// "[40]" of "float (*A)[40]".
  static std::string rowShape(const Param &p) {
    size_t at = p.declaration.find(")[");
    return at == std::string::npos ? "" : p.declaration.substr(at + 1);
  }

  Argument arrayArgument(const Param &p) const {
    bool rows = !rowShape(p).empty();
    std::string name = rows ? p.name + "_data" : p.name;
    std::string type = (isConst(p) ? "const " : "") + p.type.spelling;
    std::string value = p.name;
    if (p.role == Role::In && !isConst(p))
      value = "const_cast<" + p.type.spelling + " *>(" + p.name + ")";
    return {type + " *__restrict__ " + name, value};
  }

  std::string rowPointers(const std::string &text) const {
    std::string out;
    for (const Param &p : contract.params) {
      std::string shape = rowShape(p);
      if (shape.empty() || !mentions(text, p.name))
        continue;
      std::string type = (isConst(p) ? "const " : "") + p.type.spelling;
      out += type + " (*" + p.name + ")" + shape + " = reinterpret_cast<" +
             type + " (*)" + shape + ">(" + p.name + "_data);\n";
    }
    return out;
  }

  /// Parameters of a kernel of phase `phase` whose code is `text`.
  std::vector<Argument> argumentsFor(const Phase &phase,
                                     const std::string &text) const {
    std::vector<Argument> list;
    for (unsigned l : phase.around) {
      const Loop &loop = contract.loops[l];
      if (mentions(text, loop.counter))
        list.push_back(
            {loop.counterType.spelling + " " + loop.counter, loop.counter});
    }
    for (const Param &p : contract.params) {
      if (!mentions(text, p.name))
        continue;
      if (p.isArray)
        list.push_back(arrayArgument(p));
      else if (p.role == Role::In)
        list.push_back({p.type.spelling + " " + p.name, p.name});
    }
    bool usesSlots = false;
    for (const Slot &s : plan.slots) {
      if (!mentions(text, s.name))
        continue;
      if (s.isResult)
        list.push_back(
            {s.type + " *" + s.name + "_result", s.name + "_result"});
      else
        usesSlots = true;
    }
    if (usesSlots)
      list.push_back({"Scalars *scalars", "scalars"});
    return list;
  }

  std::string slotPlace(const Slot &s) const {
    return s.isResult ? "*" + s.name + "_result" : "scalars->" + s.name;
  }

  /// A slot's value from an earlier phase is read here.
  bool isLoaded(const Phase &p, const Slot &s) const {
    return reads(contract, p, s.name);
  }

  /// One block that goes through a loop: it keeps scalars up to date.
  bool keepsSlot(const Phase &p, const Slot &s) const {
    return p.kind == Phase::Rows && p.loops.empty() && assigns(p.body, s.name);
  }

  std::string loadSlots(const Phase &p) const {
    std::string out;
    for (const Slot &s : plan.slots) {
      auto isSlot = [&](const Reduction &r) { return r.variable == s.name; };
      bool isReduced = llvm::any_of(p.reductions, isSlot) ||
                       llvm::any_of(p.scans, isSlot) ||
                       llvm::any_of(p.selections, [&](const Selection &one) {
                         return llvm::any_of(one.variables, isSlot);
                       });
      bool keeps = keepsSlot(p, s);
      if (!isReduced && (keeps || isLoaded(p, s)))
        out += std::string(keeps ? "" : "const ") + s.type + " " + s.name +
               " = " + slotPlace(s) + ";\n";
    }
    return out;
  }

  std::string storeSlots(const Phase &p) const {
    std::string out;
    for (const Slot &s : plan.slots)
      if (keepsSlot(p, s))
        out += "  " + slotPlace(s) + " = " + s.name + ";\n";
    return out.empty()
               ? ""
               : "__syncthreads();\nif (threadIdx.x == 0) {\n" + out + "}\n";
  }

  /// Pure declarations that `text` needs, in order.
  static std::vector<Node> preludeFor(const std::vector<Node> &visible,
                                      std::string text, bool integersOnly) {
    std::vector<bool> keep(visible.size());
    for (size_t i = visible.size(); i-- > 0;) {
      bool used = llvm::any_of(visible[i].locals, [&](const Node::Local &l) {
        return mentions(text, l.name);
      });
      bool pointers = llvm::any_of(
          visible[i].locals, [](const Node::Local &l) { return l.isPointer; });
      if (!used || (integersOnly && pointers))
        continue;
      keep[i] = true;
      text += "\n" + visible[i].text;
    }
    std::vector<Node> out;
    for (size_t i = 0; i < keep.size(); ++i)
      if (keep[i])
        out.push_back(visible[i]);
    return out;
  }

  static std::string joined(const std::vector<Node> &nodes) {
    std::string out;
    for (const Node &n : nodes)
      out += n.text + "\n";
    return out;
  }

  /// Scalars from outside that are local to the kernel.
  std::string privatesFor(const Phase &p, const std::string &text) const {
    std::string out;
    for (const Node::Local &l : model.privates) {
      auto counts = [&](unsigned loop) {
        return contract.loops[loop].counter == l.name;
      };
      const Slot *slot = slotOf(l.name);
      bool loaded = slot && (p.kind == Phase::Single || isLoaded(p, *slot) ||
                             keepsSlot(p, *slot));
      if (!llvm::any_of(p.loops, counts) && !llvm::any_of(p.around, counts) &&
          !loaded && mentions(text, l.name))
        out += l.type + " " + l.name + ";\n";
    }
    return out;
  }

  std::string loopsPhrase(const Phase &p) const {
    std::string out;
    for (unsigned l : p.loops)
      out += (out.empty() ? "" : ", ") + contract.loops[l].counter;
    return out;
  }

  std::string counterLines(const Phase &p, const std::string &item) const {
    if (p.loops.size() == 1)
      return counterText(contract.loops[p.loops[0]], item) + "\n";
    std::string out;
    for (size_t d = 0; d < p.loops.size(); ++d) {
      std::string at = item;
      std::string inner;
      for (size_t k = d + 1; k < p.loops.size(); ++k)
        inner += (inner.empty() ? "" : " * ") + countName(k);
      if (!inner.empty())
        at += " / " + (p.loops.size() - d > 2 ? "(" + inner + ")" : inner);
      if (d > 0)
        at = (inner.empty() ? at : at) + " % " + countName(d);
      out += counterText(contract.loops[p.loops[d]], "(" + at + ")") + "\n";
    }
    return out;
  }

  std::string countName(size_t d) const {
    return fresh("count" + std::to_string(d));
  }
  std::string partialName(const Reduction &r) const {
    return fresh("partial_" + r.variable);
  }
  const Model &model;
  const Contract &contract;
  const Plan &plan;
  std::set<std::string> taken;
};

} // namespace autokernel
