// The text of a plan's kernels and of the launcher that starts them.

#include "generate/Plan.h"
#include "generate/Render.h"
#include "generate/Text.h"

#include "llvm/ADT/STLExtras.h"

namespace autokernel {

namespace {

constexpr int PartialBlocks = 1024;

struct Argument {
  std::string declaration, value;
};

std::string commaList(const std::vector<Argument> &list, bool declarations) {
  std::string out;
  for (const Argument &a : list)
    out += (out.empty() ? "" : ", ") + (declarations ? a.declaration : a.value);
  return out;
}

class Writer {
public:
  Writer(const Model &model, const Plan &plan)
      : model(model), contract(model.contract), plan(plan) {
    collectIdentifiers(allText(contract, {model.root}), taken);
    for (const Param &p : contract.params)
      taken.insert(p.name);
  }

  std::string run() {
    layOutWorkspace();
    for (size_t i = 0; i < plan.phases.size(); ++i)
      phase(plan.phases[i], i);
    return file();
  }

private:
  // --- names and parameters ---

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

  /// Parameters of a kernel whose code is `text`.
  std::vector<Argument> argumentsFor(const std::string &text) const {
    std::vector<Argument> list;
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

  std::string loadSlots(const std::string &text,
                        const std::vector<Reduction> &reduced,
                        bool mutableCopies) const {
    std::string out;
    for (const Slot &s : plan.slots) {
      bool isReduced = llvm::any_of(
          reduced, [&](const Reduction &r) { return r.variable == s.name; });
      if (isReduced || !mentions(text, s.name))
        continue;
      out += std::string(mutableCopies ? "" : "const ") + s.type + " " +
             s.name + " = " + slotPlace(s) + ";\n";
    }
    return out;
  }

  /// Pure declarations that `text` needs, in order.
  std::vector<Node> preludeFor(std::string text, bool integersOnly) const {
    std::vector<bool> keep(plan.prelude.size());
    for (size_t i = plan.prelude.size(); i-- > 0;) {
      bool used =
          llvm::any_of(plan.prelude[i].locals, [&](const Node::Local &l) {
            return mentions(text, l.name);
          });
      bool pointers =
          llvm::any_of(plan.prelude[i].locals,
                       [](const Node::Local &l) { return l.isPointer; });
      if (!used || (integersOnly && pointers))
        continue;
      keep[i] = true;
      text += "\n" + plan.prelude[i].text;
    }
    std::vector<Node> out;
    for (size_t i = 0; i < keep.size(); ++i)
      if (keep[i])
        out.push_back(plan.prelude[i]);
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
      bool mapped = llvm::any_of(p.loops, [&](unsigned loop) {
        return contract.loops[loop].counter == l.name;
      });
      if (!mapped && !slotOf(l.name) && mentions(text, l.name))
        out += l.type + " " + l.name + ";\n";
    }
    return out;
  }

  // --- kernels ---

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

  void phase(const Phase &p, size_t index) {
    std::string name = contract.id;
    if (plan.phases.size() > 1)
      name += "_" + std::to_string(index + 1);
    name += p.kind == Phase::Single ? "_scalars" : "_kernel";
    if (p.kind == Phase::Single)
      return single(p, name);
    std::string own = allText(contract, p.body) + allText(contract, p.between);
    for (unsigned l : p.loops)
      own += contract.loops[l].firstText + "\n" + contract.loops[l].stepText +
             "\n";
    for (const Reduction &r : p.reductions)
      own += r.variable + "\n";
    std::vector<Node> prelude = preludeFor(own, false);
    std::string text = own + joined(prelude);
    std::string item = fresh(p.kind == Phase::Rows ? "row" : "item");
    std::string count = fresh("count"), stride = fresh("stride");

    std::string names = text; // reductions go to partial results instead
    std::vector<Argument> arguments = phaseArguments(p, names);
    arguments.push_back({"long long " + count, count});
    for (size_t d = 1; d < p.loops.size(); ++d)
      arguments.push_back({"long long " + countName(d), countName(d)});
    if (p.kind == Phase::Reduce)
      for (const Reduction &r : p.reductions)
        arguments.push_back(
            {r.type.spelling + " *" + partialName(r), partialName(r)});

    std::string body =
        counterLines(p, item) + privatesFor(p, text) + joined(p.between);
    if (p.kind == Phase::Rows) {
      std::string rows;
      rowsText(model, p.body, p.atomics, rows, operators);
      body += rows;
      usesBlockReduce |= rows.find("block_reduce") != std::string::npos;
    } else {
      body += bodyText(model, p.body, p.atomics);
    }
    llvm::json::Object data{
        {"name", name},
        {"what", whatText(p)},
        {"parameters", commaList(arguments, true)},
        {"prelude",
         indent(rowPointers(text) + loadSlots(text, p.reductions, false) +
                    joined(prelude),
                2)},
        {"item", item},
        {"count", count},
        {"stride", stride},
        {"body", indent(body, 4)}};
    if (p.kind == Phase::Reduce)
      addReduction(p, data);
    const char *templates[] = {"map", "reduce", "rows", "single"};
    kernels += renderKernelTemplate(templates[p.kind], std::move(data));
    launchPhase(p, name, arguments, index);
  }

  std::vector<Argument> phaseArguments(const Phase &p,
                                       const std::string &text) const {
    std::string visible = text;
    std::vector<Argument> all = argumentsFor(text), kept;
    for (const Argument &a : all) {
      bool reduced = llvm::any_of(p.reductions, [&](const Reduction &r) {
        return a.value == r.variable + "_result";
      });
      if (!reduced)
        kept.push_back(a);
    }
    return kept;
  }

  std::string whatText(const Phase &p) const {
    std::string what = "One thread takes iterations of " + loopsPhrase(p) + ".";
    if (p.kind == Phase::Rows)
      what = "Iterations of " + loopsPhrase(p) + " are rows.";
    if (p.kind == Phase::Reduce)
      what = "Reduces over " + loopsPhrase(p) + ".";
    if (!p.atomics.empty()) {
      what += " Sums that iterations share are atomic:";
      for (const std::string &a : p.atomics)
        what += " " + a;
      what += ".";
    }
    return what;
  }

  std::string partialName(const Reduction &r) const {
    return fresh("partial_" + r.variable);
  }

  void addReduction(const Phase &p, llvm::json::Object &data) {
    usesBlockReduce = true;
    std::string start, finish, combine;
    std::vector<Argument> arguments;
    for (const Reduction &r : p.reductions) {
      operators.insert(r.op);
      std::string type = r.type.spelling, op = operatorName(r.op) + "()";
      std::string v = r.variable, partial = partialName(r);
      const Slot *slot = slotOf(v);
      start += type + " " + v + " = " + identityOf(r) + ";\n";
      finish += v + " = block_reduce(" + v + ", " + op +
                ");\nif (threadIdx.x == 0)\n  " + partial +
                "[blockIdx.x] = " + v + ";\n";
      combine += type + " " + v + " = " + identityOf(r) +
                 ";\nfor (unsigned block = threadIdx.x; block < blocks; block "
                 "+= blockDim.x)\n  " +
                 v + " = " + op + "(" + v + ", " + partial + "[block]);\n" + v +
                 " = block_reduce(" + v + ", " + op +
                 ");\nif (threadIdx.x == 0)\n  " + slotPlace(*slot) + " = " +
                 op + "(" + slotPlace(*slot) + ", " + v + ");\n";
      arguments.push_back({"const " + type + " *" + partial, partial});
      if (slot->isResult)
        arguments.push_back({type + " *" + v + "_result", v + "_result"});
    }
    if (llvm::any_of(p.reductions, [&](const Reduction &r) {
          return !slotOf(r.variable)->isResult;
        }))
      arguments.push_back({"Scalars *scalars", "scalars"});
    arguments.push_back({"unsigned blocks", fresh("blocks")});
    combineArguments = commaList(arguments, false);
    data["combine_parameters"] = commaList(arguments, true);
    data["start"] = indent(start, 2);
    data["finish"] = indent(finish, 2);
    data["combine"] = indent(combine, 2);
  }

  void single(const Phase &p, const std::string &name) {
    std::string text = allText(contract, p.body);
    std::vector<Node> prelude = preludeFor(text, false);
    text += joined(prelude);
    std::vector<Argument> arguments = argumentsFor(text);
    std::string body, store;
    std::set<std::string> declared;
    for (const Node &node : p.body)
      for (const Node::Local &l : node.locals)
        declared.insert(l.name);
    for (const Slot &s : plan.slots) {
      if (!mentions(text, s.name))
        continue;
      if (!declared.count(s.name))
        body += s.type + " " + s.name + " = " + slotPlace(s) + ";\n";
      store += slotPlace(s) + " = " + s.name + ";\n";
    }
    body += privatesFor(p, text) + bodyText(model, p.body, {}) + store;
    llvm::json::Object data{
        {"name", name},
        {"what", "Scalars between the loops: one thread."},
        {"parameters", commaList(arguments, true)},
        {"prelude", indent(rowPointers(text) + joined(prelude), 2)},
        {"body", indent(body, 2)}};
    kernels += renderKernelTemplate("single", std::move(data));
    launches +=
        name + "<<<1, 1, 0, stream>>>(" + commaList(arguments, false) + ");\n";
  }

  // --- launcher ---

  std::string countLines(const Phase &p) const {
    std::string text, product;
    for (size_t d = 0; d < p.loops.size(); ++d) {
      const Loop &l = contract.loops[p.loops[d]];
      if (p.loops.size() == 1)
        return "const long long " + fresh("count") + " = " + tripCountText(l) +
               ";\n";
      text +=
          "const long long " + countName(d) + " = " + tripCountText(l) + ";\n";
      product += (d ? " && " : "") + countName(d) + " > 0";
    }
    std::string all;
    for (size_t d = 0; d < p.loops.size(); ++d)
      all += (d ? " * " : "") + countName(d);
    return text + "const long long " + fresh("count") + " = " + product +
           " ? " + all + " : 0;\n";
  }

  std::string threadsLine(const Phase &p) const {
    if (p.kind != Phase::Rows)
      return "const unsigned " + fresh("threads") + " = 256;\n";
    const Loop *shared = firstShared(p.body);
    if (!shared)
      return "const unsigned " + fresh("threads") + " = 128;\n";
    std::string w = fresh("width");
    return "const long long " + w + " = " + tripCountText(*shared) +
           ";\nconst unsigned " + fresh("threads") + " = " + w +
           " > 1024 ? 512 : " + w + " > 128 ? 256 : " + w +
           " > 32 ? 128 : 32;\n";
  }

  /// A loop that the block shares and whose length the launcher knows.
  const Loop *firstShared(const std::vector<Node> &nodes) const {
    for (const Node &node : nodes) {
      if (isParallel(contract, node) &&
          contract.loops[node.loop].atomics.empty() &&
          isPlain(contract.loops[node.loop]))
        return &contract.loops[node.loop];
      if (const Loop *l = firstShared(node.body))
        return l;
    }
    return nullptr;
  }

  /// The loop's bounds are scalars that the launcher has.
  bool isPlain(const Loop &l) const {
    std::set<std::string> names;
    collectIdentifiers(l.firstText + " " + l.boundText + " " + l.stepText,
                       names);
    std::set<std::string> known = {"static_cast", "long", "int"};
    for (const Param &param : contract.params)
      if (!param.isArray && param.role == Role::In)
        known.insert(param.name);
    return llvm::all_of(names,
                        [&](const std::string &n) { return known.count(n); });
  }

  void launchPhase(const Phase &p, const std::string &name,
                   const std::vector<Argument> &arguments, size_t index) {
    (void)index;
    std::string counts = countLines(p);
    std::string text =
        joined(preludeFor(counts, true)) + counts + threadsLine(p);
    std::string count = fresh("count"), threads = fresh("threads");
    std::string blocks = fresh("blocks"), wanted = fresh("wanted");
    std::string needed = p.kind == Phase::Rows ? count
                                               : "(" + count + " + " + threads +
                                                     " - 1) / " + threads;
    std::string limit = p.kind == Phase::Reduce ? std::to_string(PartialBlocks)
                        : p.kind == Phase::Rows ? "2147483647"
                                                : "1048576";
    std::string run =
        "const long long " + wanted + " = " + needed + ";\nconst unsigned " +
        blocks + " = static_cast<unsigned>(" + wanted + " < " + limit + " ? " +
        wanted + " : " + limit + ");\n" + name + "<<<" + blocks + ", " +
        threads + ", 0, stream>>>(" + commaList(arguments, false) + ");\n";
    if (p.kind == Phase::Reduce)
      run +=
          name + "_combine<<<1, 256, 0, stream>>>(" + combineArguments + ");\n";
    text += "if (" + count + " > 0) {\n" + indent(run, 2) + "}\n";
    launches += "{ // " + loopsPhrase(p) + "\n" + indent(text, 2) + "}\n";
  }

  void layOutWorkspace() {
    std::string fields;
    unsigned bytes = 0;
    for (const Slot &s : plan.slots)
      if (!s.isResult) {
        fields += "  " + s.type + " " + s.name + ";\n";
        bytes += 8;
      }
    if (!fields.empty()) {
      scalarsStruct = "// Scalars that one kernel leaves for the next.\nstruct "
                      "Scalars {\n" +
                      fields + "};\n\n";
      carve += "Scalars *scalars = static_cast<Scalars *>(workspace);\n";
    }
    bytes = (bytes + 63) / 64 * 64;
    std::set<std::string> seen;
    for (const Phase &p : plan.phases)
      if (p.kind == Phase::Reduce)
        for (const Reduction &r : p.reductions) {
          if (!seen.insert(r.variable).second)
            continue;
          carve += r.type.spelling + " *" + partialName(r) +
                   " = reinterpret_cast<" + r.type.spelling +
                   " *>(static_cast<char *>(workspace) + " +
                   std::to_string(bytes) + ");\n";
          bytes += PartialBlocks * 8;
        }
    workspaceBytes = bytes;
  }

  std::string launcherParameters(bool scalarsOnly) const {
    std::string out;
    auto add = [&](const std::string &text) {
      out += (out.empty() ? "" : ", ") + text;
    };
    for (const Param &p : contract.params) {
      if (p.isArray && !scalarsOnly)
        add((p.role == Role::In ? "const " : "") + p.type.spelling + " *" +
            p.name);
      else if (!p.isArray && p.role == Role::In)
        add(p.type.spelling + " " + p.name);
      else if (!p.isArray && !scalarsOnly)
        add(p.type.spelling + " *" + p.name + "_result");
    }
    return out;
  }

  std::string launcher() const {
    std::string parameters = launcherParameters(false), out;
    std::string symbol = "autokernel_" + contract.id;
    if (workspaceBytes)
      out += "extern \"C\" size_t " + symbol + "_workspace(" +
             launcherParameters(true) + ") { return " +
             std::to_string(workspaceBytes) + "; }\n\n";
    out += "extern \"C\" cudaError_t " + symbol + "(" + parameters +
           (parameters.empty() ? "" : ", ") +
           "void *workspace, size_t workspace_bytes, cudaStream_t stream) {\n";
    std::string body = carve;
    if (workspaceBytes)
      body = "if (workspace_bytes < " + std::to_string(workspaceBytes) +
             ")\n  return cudaErrorInvalidValue;\n" + body;
    body += launches + "return cudaGetLastError();\n";
    return out + indent(body, 2) + "}\n";
  }

  std::string file() {
    llvm::json::Array ops;
    for (const std::string &op : operators)
      ops.push_back(llvm::json::Object{{"name", operatorName(op)},
                                       {"expression", combineExpression(op)}});
    llvm::json::Object data{{"comment", ""},
                            {"support", model.deviceSupport + scalarsStruct},
                            {"reduce", usesBlockReduce},
                            {"operators", std::move(ops)},
                            {"kernels", kernels},
                            {"launcher", launcher()}};
    if (model.deviceSupport.empty() && scalarsStruct.empty())
      data["support"] = false;
    return renderKernelTemplate("file", std::move(data));
  }

  const Model &model;
  const Contract &contract;
  const Plan &plan;
  std::string kernels, launches, carve, scalarsStruct, combineArguments;
  std::set<std::string> operators, taken;
  bool usesBlockReduce = false;
  unsigned workspaceBytes = 0;
};

} // namespace

llvm::Expected<std::string> renderPlan(const Model &model, const Plan &plan) {
  return Writer(model, plan).run();
}

} // namespace autokernel
