// The launcher of a plan: counts, grids, workspace and the order of launches.
// Internal to generate.
#pragma once

#include "generate/ChoiceText.h"

namespace autokernel {

inline constexpr int PartialBlocks = 1024;

class LauncherText : public ChoiceText {
protected:
  using ChoiceText::ChoiceText;

  std::string countLines(const Phase &p) const {
    std::string text, product;
    if (p.loops.empty())
      return "const long long " + fresh("count") + " = 1;\n";
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
    if (p.kind != Phase::Rows || p.loops.empty())
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
      if (isShareable(contract, node) &&
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
                   const std::vector<Argument> &arguments) {
    std::string counts = countLines(p);
    std::string text =
        joined(preludeFor(p.prelude, counts, true)) + counts + threadsLine(p);
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
    launches.push_back("{ // " + loopsPhrase(p) + "\n" + indent(text, 2) +
                       "}\n");
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
      carve += "Scalars *scalars = static_cast<Scalars *>(workspace);\n"
               "const cudaError_t cleared = cudaMemsetAsync(scalars, 0, "
               "sizeof(Scalars), stream);\nif (cleared != cudaSuccess)\n  "
               "return cleared;\n";
    }
    bytes = (bytes + 63) / 64 * 64;
    workspaceBytes = bytes;
    for (const Phase &p : plan.phases) {
      for (const Reduction &r : p.reductions)
        addBuffer(partialName(r), accumulatorOf(r).spelling);
      for (const Reduction &r : p.scans)
        addBuffer(partialName(r), r.type.spelling);
      for (const Selection &s : p.selections)
        for (const auto &[name, type] : buffersOf(s))
          addBuffer(name, type);
    }
    for (const Phase &p : plan.phases)
      for (const std::string &array : p.ordered)
        addLast(array);
  }

  /// One value a block.
  void addBuffer(const std::string &name, const std::string &type) {
    if (!buffers.insert(name).second)
      return;
    carve += type + " *" + name + " = reinterpret_cast<" + type +
             " *>(static_cast<char *>(workspace) + " + workspaceText() + ");\n";
    workspaceBytes += PartialBlocks * 8;
  }

  /// The last iteration that stores, for each element.
  void addLast(const std::string &array) {
    if (!buffers.insert(lastName(array)).second)
      return;
    carve += "long long *" + lastName(array) +
             " = reinterpret_cast<long long *>(static_cast<char "
             "*>(workspace) + " +
             workspaceText() + ");\n";
    moreBytes += " + " + extentBytes(array);
  }

  std::string workspaceText() const {
    return std::to_string(workspaceBytes) + moreBytes;
  }

  /// Nothing is stored yet.
  std::string clearLast(const Phase &p) const {
    std::string out;
    for (const std::string &array : p.ordered)
      out += "if (const cudaError_t error = cudaMemsetAsync(" +
             lastName(array) + ", 0xff, " + extentBytes(array) +
             ", stream); error != cudaSuccess)\n  return error;\n";
    return out;
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

  std::string stepsText(const std::vector<Step> &steps) const {
    std::string out;
    for (const Step &step : steps)
      out += stepText(step);
    return out;
  }

  std::string stepText(const Step &step) const {
    if (step.kind == Step::Launch)
      return launches[step.phase];
    std::string body = indent(stepsText(step.steps), 2);
    if (step.kind == Step::Branch) {
      std::string out = "if (" + step.condition + ") {\n" + body + "}";
      if (!step.otherwise.empty())
        out += " else {\n" + indent(stepsText(step.otherwise), 2) + "}";
      return out + "\n";
    }
    Loop loop = contract.loops[step.loop];
    loop.counterOutside = false;
    std::string header = loopHeader(loop);
    std::string prelude = joined(preludeFor(step.prelude, header, true));
    std::string out = header + " {\n" + body + "}\n";
    return prelude.empty() ? out : "{\n" + indent(prelude + out, 2) + "}\n";
  }

  std::string launcher() const {
    std::string parameters = launcherParameters(false), out;
    std::string symbol = "autokernel_" + contract.id;
    bool needed = workspaceBytes || !moreBytes.empty();
    if (needed)
      out += "extern \"C\" size_t " + symbol + "_workspace(" +
             launcherParameters(true) + ") { return " + workspaceText() +
             "; }\n\n";
    out += "extern \"C\" cudaError_t " + symbol + "(" + parameters +
           (parameters.empty() ? "" : ", ") +
           "void *workspace, size_t workspace_bytes, cudaStream_t stream) {\n";
    std::string body = carve;
    if (needed)
      body = "if (workspace_bytes < " + workspaceText() +
             ")\n  return cudaErrorInvalidValue;\n" + body;
    body += stepsText(plan.steps) + "return cudaGetLastError();\n";
    return out + indent(body, 2) + "}\n";
  }
  std::vector<std::string> launches; // one a phase
  std::string carve, scalarsStruct, combineArguments;
  unsigned workspaceBytes = 0;
  std::string moreBytes; // that depend on the extents
  std::set<std::string> buffers;
};

} // namespace autokernel
