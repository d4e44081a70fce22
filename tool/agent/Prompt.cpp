#include "agent/Prompt.h"

#include "PromptTemplates.h"
#include "support/Files.h"
#include "verify/Trampolines.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Mustache.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace autokernel::agent {

namespace {

llvm::Expected<std::string> templateText(const Task &task,
                                         const std::string &name) {
  std::string own = task.promptFolder + "/" + name;
  if (!task.promptFolder.empty() && llvm::sys::fs::exists(own))
    return readFile(own);
  for (const auto &file : PromptTemplates)
    if (file.name == name)
      return std::string(file.text);
  llvm_unreachable("all prompts are embedded");
}

llvm::Expected<std::string> render(const Task &task, const std::string &name,
                                   llvm::json::Object data) {
  auto page = templateText(task, name + ".md.mustache");
  if (!page)
    return page.takeError();
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::mustache::MustacheContext context(allocator, saver);
  llvm::mustache::Template filled(*page, context);
  filled.overrideEscapeCharacters(llvm::DenseMap<char, std::string>());
  std::string text;
  llvm::raw_string_ostream out(text);
  filled.render(llvm::json::Value(std::move(data)), out);
  return text;
}

llvm::json::Array rules() {
  llvm::json::Array list;
#define RULE(Id, Name, Sentence)                                               \
  list.push_back(llvm::json::Object{{"name", Name}, {"sentence", Sentence}});
#include "compile/Rules.def"
  return list;
}

std::string roleText(const Param &p) {
  std::string out = p.role == Role::In    ? "read"
                    : p.role == Role::Out ? "written"
                                          : "read and written";
  if (!p.isArray)
    return p.role == Role::In ? "value" : "result, " + out + ", on the device";
  out = "array on the device, " + out;
  if (p.extent)
    out += ", " + p.extent->text + " elements";
  if (p.nullable)
    out += ", may be null";
  if (p.indexLike)
    out += ", its values are subscripts";
  return out;
}

llvm::json::Array paramRows(const Contract &c) {
  llvm::json::Array rows;
  auto types = launcherParameters(c);
  for (size_t i = 0; i < c.params.size(); ++i)
    rows.push_back(llvm::json::Object{{"name", types[i].second},
                                      {"type", types[i].first},
                                      {"what", roleText(c.params[i])}});
  return rows;
}

std::string loopText(const Loop &l) {
  std::string out = l.counter + " from " + l.firstText + " while " + l.counter +
                    " " + l.comparison + " " + l.boundText + ", step " +
                    (l.down ? "-" : "") + l.stepText + ": ";
  out += l.order == Order::Sequential ? "iterations depend on each other"
                                      : "iterations may run in any order";
  for (const Reduction &r : l.reductions)
    out += "; " + r.variable + " is reduced by " + r.op;
  for (const std::string &a : l.atomics)
    out += "; several iterations may update one element of " + a;
  for (const Reduction &r : l.scans)
    out += "; " + r.variable + " is a running total by " + r.op;
  for (const std::string &a : l.ordered)
    out += "; the last store to each element of " + a + " counts";
  for (const Selection &s : l.selections)
    out += s.key.empty() ? "; the last iteration that assigns " +
                               s.variables[0].variable + " decides it"
                         : "; the best " + s.key + " (candidate " + s.op + " " +
                               s.key + ") decides";
  return out;
}

llvm::json::Array texts(const std::vector<std::string> &list) {
  llvm::json::Array out;
  for (const std::string &text : list)
    out.push_back(llvm::json::Object{{"text", text}});
  return out;
}

std::vector<std::string> factsOf(const Contract &c) {
  std::vector<std::string> out = {"distinct arrays don't overlap (the call "
                                  "checks it)"};
  for (const IndexExpr &e : c.assumptions)
    if (!e.text.empty())
      out.push_back("assumed, and checked at each call: " + e.text);
  return out;
}

std::string floatText(const Contract &c) {
  if (c.tolerance.exact)
    return "Results are compared bit for bit.";
  std::string out = "Floating-point results are compared within a bound that "
                    "follows from the loop's own rounding";
  if (c.tolerance.relative)
    out = "Results may differ by a relative " +
          std::to_string(*c.tolerance.relative);
  return out + (c.floats.reassociate ? "; sums may be reordered."
                                     : "; sums keep their order.");
}

} // namespace

llvm::Expected<std::string> systemPrompt(const Task &task) {
  return render(task, "system", llvm::json::Object{{"rules", rules()}});
}

llvm::Expected<std::string> taskPrompt(const Task &task) {
  const Contract &c = task.model->contract;
  std::string parameters, scalars;
  for (const auto &[type, name] : launcherParameters(c))
    parameters += type + " " + name + ", ";
  for (const Param &p : c.params)
    if (!p.isArray && p.role == Role::In)
      scalars += (scalars.empty() ? "" : ", ") + p.type.spelling + " " + p.name;
  std::vector<std::string> loops;
  for (const Loop &l : c.loops)
    loops.push_back(std::string(l.parent >= 0 ? "inside: " : "") + loopText(l));
  return render(
      task, "task",
      llvm::json::Object{
          {"id", c.id},
          {"function", c.function},
          {"place", llvm::sys::path::filename(c.place.file).str() + ":" +
                        std::to_string(c.place.line)},
          {"summary",
           task.model->summary.empty() ? c.regionClass : task.model->summary},
          {"launcher", "autokernel_" + c.id},
          {"parameters", parameters},
          {"scalars", scalars},
          {"params", paramRows(c)},
          {"loops", texts(loops)},
          {"facts", texts(factsOf(c))},
          {"floats", floatText(c)},
          {"device", task.device},
          {"language", c.isC ? "c" : "cpp"},
          {"reference", task.model->reference},
          {"template", task.templateKernel},
          {"hasTemplate", !task.templateKernel.empty()},
          {"limit", task.templateLimit}});
}

llvm::Expected<std::string> feedbackPrompt(const Task &task,
                                           const std::string &feedback,
                                           const std::vector<Tried> &tried,
                                           bool freshIdea) {
  llvm::json::Array rows;
  for (const Tried &t : tried)
    rows.push_back(llvm::json::Object{{"number", std::to_string(t.number)},
                                      {"idea", t.idea},
                                      {"result", t.result}});
  return render(task, "feedback",
                llvm::json::Object{{"feedback", feedback},
                                   {"any", !tried.empty()},
                                   {"tried", std::move(rows)},
                                   {"fresh", freshIdea}});
}

} // namespace autokernel::agent
