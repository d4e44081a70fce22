#include "generate/Template.h"

#include "generate/Plan.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace autokernel {

static const char *kindName(Phase::Kind kind) {
  static const char *const names[] = {"map", "reduce", "rows", "scalars",
                                      "scan"};
  return names[kind];
}

/// "rows", or "scalars, reduce, map" for a sequence.
static std::string planName(const Plan &plan) {
  std::string out;
  for (const Phase &p : plan.phases)
    out += (out.empty() ? "" : "+") + std::string(kindName(p.kind));
  return out;
}

/// What becomes of each loop, for the file's header.
static std::string mappingOf(const Model &model, const Plan &plan) {
  std::string out;
  for (const Phase &p : plan.phases) {
    std::string loops;
    for (unsigned l : p.loops)
      loops += (loops.empty() ? "" : ", ") + model.contract.loops[l].counter;
    out += out.empty() ? "" : "; then ";
    if (p.kind == Phase::Single)
      out += "one thread for scalars";
    else if (p.kind == Phase::Rows)
      out += "one block an iteration of (" + loops +
             "), its threads share the inner loops";
    else if (p.kind == Phase::Reduce)
      out += "one thread an iteration of (" + loops +
             "), grid-stride; block reductions, combined in a fixed order";
    else
      out += "one thread an iteration of (" + loops + "), grid-stride";
    if (!p.atomics.empty())
      out += ", shared sums by atomics";
  }
  return out;
}

/// Drops the blank lines that empty template parts leave behind.
static std::string tidied(const std::string &text) {
  llvm::SmallVector<llvm::StringRef, 0> lines;
  llvm::StringRef(text).split(lines, '\n');
  std::string out;
  bool blank = true, opened = false;
  for (size_t i = 0; i < lines.size(); ++i) {
    llvm::StringRef line = lines[i].rtrim();
    if (line.empty()) {
      bool closes = i + 1 < lines.size() && lines[i + 1].trim() == "}";
      if (blank || opened || closes || i + 1 >= lines.size())
        continue;
    }
    blank = line.empty();
    opened = line.ends_with("{") && line.starts_with(" ");
    opened |= line.ends_with("{") && line.starts_with("__global__");
    out += line.str() + "\n";
  }
  return out;
}

llvm::Expected<Candidate> generateFromTemplate(const Model &model) {
  auto plan = planPhases(model);
  if (!plan)
    return plan.takeError();
  auto text = renderPlan(model, *plan);
  if (!text)
    return text.takeError();
  Candidate candidate;
  candidate.id = model.contract.id;
  candidate.source = tidied(*text);
  candidate.mapping = mappingOf(model, *plan);
  candidate.origin = "template " + planName(*plan) + ", version " +
                     std::to_string(TemplateVersion);
  return candidate;
}

} // namespace autokernel
