// The text of a plan's kernels.

#include "generate/Render.h"
#include "generate/ScanText.h"

namespace autokernel {

namespace {

class Writer : ScanText {
public:
  Writer(const Model &model, const Plan &plan) : ScanText(model, plan) {}

  std::string run() {
    layOutWorkspace();
    for (size_t i = 0; i < plan.phases.size(); ++i)
      phase(plan.phases[i], i);
    return file();
  }

private:
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
    std::vector<Node> prelude = preludeFor(p.prelude, own, false);
    std::string text = own + joined(prelude);
    std::string item = fresh(p.kind == Phase::Rows ? "row" : "item");
    std::string count = fresh("count"), stride = fresh("stride");

    std::string names = text; // reductions go to partial results instead
    std::vector<Argument> arguments = phaseArguments(p, names);
    arguments.push_back({"long long " + count, count});
    for (size_t d = 1; d < p.loops.size(); ++d)
      arguments.push_back({"long long " + countName(d), countName(d)});
    for (const Reduction &r : p.reductions)
      arguments.push_back(
          {accumulatorOf(r).spelling + " *" + partialName(r), partialName(r)});
    for (const Reduction &r : p.scans)
      arguments.push_back(
          {r.type.spelling + " *" + partialName(r), partialName(r)});
    if (p.kind == Phase::Scan)
      arguments.push_back({"long long " + fresh("share"), fresh("share")});
    for (const Selection &s : p.selections)
      for (const auto &[buffer, type] : buffersOf(s))
        arguments.push_back({type + " *" + buffer, buffer});
    for (const std::string &array : p.ordered)
      arguments.push_back({"long long *" + lastName(array), lastName(array)});

    const std::string before =
        counterLines(p, item) + privatesFor(p, text) + joined(p.between);
    std::string body = before;
    if (p.kind == Phase::Rows) {
      std::string rows;
      rowsText(model, p.body, p.atomics, rows, operators);
      body += rows + storeSlots(p);
      usesBlockReduce |= rows.find("block_reduce") != std::string::npos;
    } else {
      bool ordered = !p.ordered.empty();
      body += bodyText(model, ordered ? storingBody(p, item) : p.body,
                       p.atomics, /*keepMarks=*/true);
      body = withMarks(body, p, item);
    }
    llvm::json::Object data{
        {"name", name},
        {"what", whatText(p)},
        {"parameters", commaList(arguments, true)},
        {"prelude",
         indent(rowPointers(text) + loadSlots(p) + joined(prelude), 2)},
        {"item", item},
        {"count", count},
        {"stride", stride},
        {"body", indent(body, 4)}};
    if (p.kind == Phase::Reduce)
      addReduction(p, data);
    if (p.kind == Phase::Scan)
      return scan(p, name, item, before, arguments, std::move(data));
    const char *templates[] = {"map", "reduce", "rows", "single"};
    std::string marking;
    if (!p.ordered.empty()) {
      llvm::json::Object first = data;
      first["name"] = name + "_order";
      first["what"] = "Finds the last iteration that stores to each element.";
      first["body"] =
          indent(before + bodyText(model, markingBody(p, item), p.atomics), 4);
      kernels += renderKernelTemplate("map", std::move(first));
      launchPhase(p, name + "_order", arguments);
      marking = clearLast(p) + launches.back();
      launches.pop_back();
    }
    kernels += renderKernelTemplate(templates[p.kind], std::move(data));
    launchPhase(p, name, arguments);
    launches.back() = marking + launches.back();
  }

  void scan(const Phase &p, const std::string &name, const std::string &item,
            const std::string &counters, const std::vector<Argument> &arguments,
            llvm::json::Object data) {
    usesBlockReduce = usesBlockScan = true;
    for (const Reduction &r : p.scans)
      operators.insert(r.op);
    for (const char *own : {"begin", "end", "tile", "share"})
      data[own] = fresh(own);
    addScanText(p, item, counters, data);
    data["body"] =
        indent(iteration(counters + bodyText(model, p.body, p.atomics)), 6);
    kernels += renderKernelTemplate("scan", std::move(data));
    launchScan(p, name, arguments);
  }

  std::vector<Argument> phaseArguments(const Phase &p,
                                       const std::string &text) const {
    std::string visible = text;
    std::vector<Argument> all = argumentsFor(p, text), kept;
    for (const Argument &a : all) {
      auto isResult = [&](const Reduction &r) {
        return a.value == r.variable + "_result";
      };
      bool reduced = llvm::any_of(p.reductions, isResult) ||
                     llvm::any_of(p.scans, isResult);
      if (!reduced)
        kept.push_back(a);
    }
    return kept;
  }

  std::string whatText(const Phase &p) const {
    std::string what = "One thread takes iterations of " + loopsPhrase(p) + ".";
    if (p.kind == Phase::Rows)
      what = p.loops.empty() ? "Small steps, one after the other, by one block."
                             : "Iterations of " + loopsPhrase(p) + " are rows.";
    if (p.kind == Phase::Scan)
      what = "Running totals over " + loopsPhrase(p) + ".";
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
  void addReduction(const Phase &p, llvm::json::Object &data) {
    usesBlockReduce = true;
    std::string start, finish, combine;
    std::vector<Argument> arguments;
    for (const Reduction &r : p.reductions) {
      operators.insert(r.op);
      std::string type = accumulatorOf(r).spelling;
      std::string op = operatorName(r.op) + "()";
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
                 op + "(" + slotPlace(*slot) + ", " + fromAccumulator(r, v) +
                 ");\n";
      arguments.push_back({"const " + type + " *" + partial, partial});
      if (slot->isResult)
        arguments.push_back(
            {r.type.spelling + " *" + v + "_result", v + "_result"});
    }
    bool usesStruct = llvm::any_of(p.reductions, [&](const Reduction &r) {
      return !slotOf(r.variable)->isResult;
    });
    for (const Selection &s : p.selections) {
      start += startOf(s);
      finish += finishOf(s, operators);
      combine += combineOf(s, operators);
      for (const auto &[buffer, type] : buffersOf(s))
        arguments.push_back({"const " + type + " *" + buffer, buffer});
      for (const Reduction &v : s.variables) {
        usesStruct |= !slotOf(v.variable)->isResult;
        if (slotOf(v.variable)->isResult)
          arguments.push_back({v.type.spelling + " *" + v.variable + "_result",
                               v.variable + "_result"});
      }
    }
    if (usesStruct)
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
    std::vector<Node> prelude = preludeFor(p.prelude, text, false);
    text += joined(prelude);
    std::vector<Argument> arguments = argumentsFor(p, text);
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
      if (declared.count(s.name) || assigns(p.body, s.name))
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
    launches.push_back(name + "<<<1, 1, 0, stream>>>(" +
                       commaList(arguments, false) + ");\n");
  }
  /// Types of signed integers that sums or products are made of.
  std::map<std::string, std::string> wrappingTypes() const {
    std::map<std::string, std::string> types; // to the unsigned ones
    auto add = [&](const Reduction &r) {
      if (ElementType own = accumulatorOf(r); !(own == r.type))
        types[r.type.spelling] = own.spelling;
    };
    for (const Loop &loop : contract.loops) {
      llvm::for_each(loop.reductions, add);
      llvm::for_each(loop.scans, add);
      for (const std::string &array : loop.atomics)
        if (const Param *p = contract.param(array))
          add({array, "+", p->type});
    }
    return types;
  }

  std::string file() {
    llvm::json::Array ops;
    for (const std::string &op : operators) {
      llvm::json::Array wrapping;
      if (op == "+" || op == "*")
        for (const auto &[type, own] : wrappingTypes())
          wrapping.push_back(llvm::json::Object{
              {"type", type}, {"unsigned", own}, {"op", op}});
      ops.push_back(llvm::json::Object{{"name", operatorName(op)},
                                       {"expression", combineExpression(op)},
                                       {"wrapping", std::move(wrapping)}});
    }
    llvm::json::Object data{{"comment", ""},
                            {"support", model.deviceSupport + scalarsStruct},
                            {"reduce", usesBlockReduce},
                            {"scan", usesBlockScan},
                            {"operators", std::move(ops)},
                            {"kernels", kernels},
                            {"launcher", launcher()}};
    if (model.deviceSupport.empty() && scalarsStruct.empty())
      data["support"] = false;
    return renderKernelTemplate("file", std::move(data));
  }
  std::string kernels;
  std::set<std::string> operators;
  bool usesBlockReduce = false, usesBlockScan = false;
};

} // namespace

llvm::Expected<std::string> renderPlan(const Model &model, const Plan &plan) {
  return Writer(model, plan).run();
}

} // namespace autokernel
