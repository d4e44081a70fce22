// Code for running totals: three kernels, what each block adds, what stands
// before each block, and the iterations themselves. Internal to generate.
#pragma once

#include "generate/LauncherText.h"

namespace autokernel {

class ScanText : public LauncherText {
protected:
  using LauncherText::LauncherText;

  /// The body without its stores: what is left decides what is added.
  static std::vector<Node> withoutStores(std::vector<Node> nodes) {
    for (Node &node : nodes) {
      if (node.store)
        node.text = node.store->advance;
      node.body = withoutStores(std::move(node.body));
      node.otherwise = withoutStores(std::move(node.otherwise));
    }
    return nodes;
  }

  /// `continue` ends the iteration, not the loop over tiles around it.
  static std::string iteration(const std::string &text) {
    if (!mentions(text, "continue"))
      return text;
    return "do {\n" + indent(text, 2) + "} while (false);\n";
  }

  static std::string typed(const Reduction &r, const std::string &name,
                           const std::string &value) {
    return r.type.spelling + " " + name + " = " + value + ";\n";
  }
  static std::string combined(const Reduction &r, const std::string &a,
                              const std::string &b) {
    return "static_cast<" + r.type.spelling + ">(" + operatorName(r.op) +
           "()(" + a + ", " + b + "))";
  }
  static std::string identity(const Reduction &r) {
    return "static_cast<" + r.type.spelling + ">(" + identityOf(r) + ")";
  }
  /// No user's name begins so.
  static std::string own(const char *what, const Reduction &r) {
    return std::string("autokernel_") + what + "_" + r.variable;
  }

  void addScanText(const Phase &p, const std::string &item,
                   const std::string &counters, llvm::json::Object &data) {
    std::string start, fresh, gather, finish, before, ownLines, keep, scan,
        found, next;
    for (const Reduction &r : p.scans) {
      std::string v = r.variable, total = own("total", r);
      std::string part = own("part", r), sum = own("sum", r);
      start += typed(r, total, identity(r));
      fresh +=
          accumulatorOf(r).spelling + " " + v + " = " + identityOf(r) + ";\n";
      gather +=
          total + " = " + combined(r, total, fromAccumulator(r, v)) + ";\n";
      finish += total + " = block_reduce(" + total + ", " + operatorName(r.op) +
                "());\nif (threadIdx.x == 0)\n  " + partialName(r) +
                "[blockIdx.x] = " + total + ";\n";
      before += typed(r, total, partialName(r) + "[blockIdx.x]");
      ownLines += typed(r, part, identity(r));
      keep += part + " = " + fromAccumulator(r, v) + ";\n";
      scan += r.type.spelling + " " + sum + ";\n" + part + " = block_scan(" +
              part + ", " + identity(r) + ", " + operatorName(r.op) + "(), " +
              sum + ");\n";
      found += typed(r, v, combined(r, total, part));
      next += total + " = " + combined(r, total, sum) + ";\n";
    }
    std::string adding =
        iteration(counters + bodyText(model, withoutStores(p.body), p.atomics));
    data["start"] = indent(start, 2);
    data["fresh"] = indent(fresh, 4);
    data["adding"] = indent(adding, 4);
    data["gather"] = indent(gather, 4);
    data["finish"] = indent(finish, 2);
    data["before"] = indent(before, 2);
    data["own"] = indent(ownLines, 4);
    data["keep"] = indent(keep, 6);
    data["scan"] = indent(scan, 4);
    data["found"] = indent(found, 6);
    data["next"] = indent(next, 4);
    data["item"] = item;
    addOffsets(p, data);
  }

  void addOffsets(const Phase &p, llvm::json::Object &data) {
    std::vector<Argument> arguments;
    std::string code;
    bool usesStruct = false;
    for (const Reduction &r : p.scans) {
      const Slot *slot = slotOf(r.variable);
      std::string total = own("total", r), part = own("part", r);
      std::string sum = own("sum", r), partial = partialName(r);
      arguments.push_back({r.type.spelling + " *" + partial, partial});
      if (slot->isResult)
        arguments.push_back({r.type.spelling + " *" + r.variable + "_result",
                             r.variable + "_result"});
      usesStruct |= !slot->isResult;
      code +=
          typed(r, total, slotPlace(*slot)) +
          "for (unsigned first = 0; first < blocks; first += blockDim.x) "
          "{\n  const unsigned block = first + threadIdx.x;\n  " +
          typed(r, part,
                "block < blocks ? " + partial + "[block] : " + identity(r)) +
          "  " + r.type.spelling + " " + sum + ";\n  " + part +
          " = block_scan(" + part + ", " + identity(r) + ", " +
          operatorName(r.op) + "(), " + sum +
          ");\n  if (block < blocks)\n    " + partial +
          "[block] = " + combined(r, total, part) + ";\n  " + total + " = " +
          combined(r, total, sum) + ";\n}\n__syncthreads();\nif " +
          "(threadIdx.x == 0)\n  " + slotPlace(*slot) + " = " + total + ";\n";
    }
    if (usesStruct)
      arguments.push_back({"Scalars *scalars", "scalars"});
    arguments.push_back({"unsigned blocks", fresh("blocks")});
    combineArguments = commaList(arguments, false);
    data["offset_parameters"] = commaList(arguments, true);
    data["offsets"] = indent(code, 2);
  }

  /// Contiguous parts, at most PartialBlocks of them, in whole tiles.
  void launchScan(const Phase &p, const std::string &name,
                  const std::vector<Argument> &arguments) {
    std::string count = fresh("count"), share = fresh("share");
    std::string tiles = fresh("tiles"), blocks = fresh("blocks");
    std::string counts = countLines(p);
    std::string limit = std::to_string(PartialBlocks);
    std::string run =
        "const long long " + tiles + " = (" + count +
        " + 255) / 256;\nconst long long " + share + " = (" + tiles + " + " +
        limit + " - 1) / " + limit + " * 256;\nconst unsigned " + blocks +
        " = static_cast<unsigned>((" + count + " + " + share + " - 1) / " +
        share + ");\n" + name + "_sums<<<" + blocks + ", 256, 0, stream>>>(" +
        commaList(arguments, false) + ");\n" + name +
        "_offsets<<<1, 256, 0, stream>>>(" + combineArguments + ");\n" + name +
        "<<<" + blocks + ", 256, 0, stream>>>(" + commaList(arguments, false) +
        ");\n";
    std::string text = joined(preludeFor(p.prelude, counts, true)) + counts +
                       "if (" + count + " > 0) {\n" + indent(run, 2) + "}\n";
    launches.push_back("{ // " + loopsPhrase(p) + "\n" + indent(text, 2) +
                       "}\n");
  }
};

} // namespace autokernel
