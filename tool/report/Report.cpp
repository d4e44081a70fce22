#include "report/Report.h"

#include "ReportTemplates.h"
#include "report/Highlight.h"
#include "store/Store.h"
#include "support/ContractJson.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/Mustache.h"
#include "llvm/Support/raw_ostream.h"

namespace autokernel {

Change changeOf(const StoredKernel *before, const StoredKernel *now) {
  if (!before || !now)
    return now ? Change::New : before ? Change::Removed : Change::Unserved;
  if (before->contract.fingerprint != now->contract.fingerprint)
    return Change::Loop;
  if (codeDigest(before->source) != codeDigest(now->source))
    return Change::Kernel;
  return Change::Evidence;
}

namespace {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

std::string numberText(double v) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::format("%.2g", v);
  return text;
}

std::string changeText(const ReportItem &item) {
  switch (item.change) {
  case Change::None:
    return "";
  case Change::New:
    return "new kernel";
  case Change::Loop:
    return "the loop changed, and so did the kernel";
  case Change::Kernel:
    return "another kernel for the same loop";
  case Change::Evidence:
    return "verified again";
  case Change::Removed:
    return item.loop.empty() ? "removed with its loop" : "kernel removed";
  case Change::Unserved:
    return "no kernel";
  }
  return "";
}

/// What the loop's own text doesn't say and the kernel relies on.
std::vector<std::string> assumptionsOf(const Contract &c) {
  std::vector<std::string> out;
  unsigned arrays = 0;
  for (const Param &p : c.params)
    arrays += p.isArray;
  if (arrays > 1)
    out.push_back("Distinct arrays don't overlap; checked at each call.");
  for (const RangeGuard &g : c.guards)
    out.push_back("0 <= " + g.value.text + " < " + g.below.text +
                  "; checked at each call" +
                  (g.why.empty() ? "." : " (" + g.why + ")."));
  for (const IndexExpr &e : c.assumptions)
    out.push_back(e.text + ": said by autokernel_assume, checked at each "
                           "call.");
  for (const Loop &l : c.loops)
    if (l.order == Order::Claimed)
      out.push_back("The iterations over " + l.counter +
                    " are independent: said by the user, not proved.");
  if (c.tolerance.relative)
    out.push_back("A relative error of " + numberText(*c.tolerance.relative) +
                  " is allowed: said by the user.");
  if (c.floats.fastMath)
    out.push_back("Compiled with fast math, as the source is.");
  return out;
}

Array texts(const std::vector<std::string> &list) {
  Array out;
  for (const std::string &text : list)
    out.push_back(Object{{"text", text}});
  return out;
}

std::string joined(const std::vector<std::string> &list) {
  std::string out;
  for (const std::string &text : list)
    out += (out.empty() ? "" : ", ") + text;
  return out;
}

Object evidenceRow(const Evidence &e) {
  std::string worst = e.bitwise ? "bit for bit"
                                : numberText(e.worstOfBound) + " of its bound" +
                                      (e.worstElement.empty()
                                           ? ""
                                           : ", at " + e.worstElement);
  std::string device = e.device.empty() ? e.where : e.where + ", " + e.device;
  return Object{{"where", device},
                {"verdict", verdictName(e.verdict)},
                {"cases", std::to_string(e.cases)},
                {"largest", std::to_string(e.largestSize)},
                {"worst", worst},
                {"seed", std::to_string(e.seed)},
                {"gates", joined(e.gates)}};
}

/// "softmax_kernel" of "(anonymous namespace)::softmax_kernel(int, ...)".
std::string shortName(llvm::StringRef kernel) {
  kernel.consume_front("void ");
  kernel.consume_front("(anonymous namespace)::");
  return kernel.take_until([](char c) { return c == '('; }).str();
}

Array resourceRows(const std::vector<Evidence> &list) {
  Array rows;
  for (const Evidence &e : list)
    for (const ResourceSummary &r : e.resources)
      rows.push_back(Object{{"kernel", shortName(r.kernel)},
                            {"architecture", r.architecture},
                            {"registers", std::to_string(r.registers)},
                            {"shared", std::to_string(r.sharedBytes)},
                            {"spilled", std::to_string(r.spillBytes)}});
  return rows;
}

Array attemptRows(const std::vector<Attempt> &list) {
  Array rows;
  for (const Attempt &a : list)
    rows.push_back(Object{{"number", std::to_string(a.number)},
                          {"origin", a.origin},
                          {"verdict", verdictName(a.verdict)},
                          {"reason", a.reason}});
  return rows;
}

/// The columns of the summary, short.
std::string evidenceText(const ReportItem &item) {
  if (item.refusal)
    return "refused [" + item.refusal->id + "]: " + item.refusal->message;
  if (!item.kernel || item.state != StoreState::Fresh)
    return stateName(item.state) +
           (item.reason.empty() ? "" : ": " + item.reason);
  std::string out;
  for (const Evidence &e : item.kernel->evidence)
    if (e.verdict == Verdict::Verified)
      out += (out.empty() ? "verified: " : ", ") + e.where + " " +
             std::to_string(e.cases) + " cases";
  return out;
}

bool isGood(const ReportItem &item) {
  return item.change == Change::Removed ? item.loop.empty()
                                        : item.state == StoreState::Fresh;
}

/// Longer than any row of backticks in `text`.
std::string fenceFor(llvm::StringRef text) {
  size_t longest = 2, run = 0;
  for (char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(longest + 1, '`');
}

/// Without empty texts: a section over one would be shown.
Object withoutEmpty(Object o) {
  std::vector<llvm::json::ObjectKey> empty;
  for (const auto &[key, value] : o)
    if (auto text = value.getAsString(); text && text->empty())
      empty.push_back(key);
  for (const auto &key : empty)
    o.erase(key);
  return o;
}

Object itemData(const ReportItem &item, bool html) {
  auto code = [&](const std::string &text) {
    return html ? htmlOfCode(text) : text;
  };
  std::string kernel = item.kernel ? item.kernel->source : "";
  Object o{{"id", item.id},
           {"place", item.place},
           {"function", item.function},
           {"change", changeText(item)},
           {"state", isGood(item) ? "good" : "open"},
           {"verdict", item.verdict},
           {"evidence", evidenceText(item)},
           {"class", item.contract ? item.contract->regionClass : ""},
           {"origin", item.kernel ? item.kernel->origin : ""},
           {"mapping", item.kernel ? item.kernel->mapping : ""},
           {"kernelPath", item.kernelPath},
           {"loop", code(item.loop)},
           {"kernel", code(kernel)},
           {"difference",
            html ? htmlOfDifference(item.difference) : item.difference},
           {"reproduce", item.kernel ? item.reproduce : ""},
           {"fence", fenceFor(item.loop + kernel + item.difference)}};
  o["isThere"] = !item.loop.empty() || !kernel.empty();
  Array rows;
  if (item.kernel)
    for (const Evidence &e : item.kernel->evidence)
      rows.push_back(evidenceRow(e));
  o["hasEvidence"] = !rows.empty();
  o["rows"] = std::move(rows);
  Array resources =
      resourceRows(item.kernel ? item.kernel->evidence : std::vector<Evidence>{});
  o["hasResources"] = !resources.empty();
  o["resources"] = std::move(resources);
  Array attempts =
      attemptRows(item.kernel ? item.kernel->attempts : std::vector<Attempt>{});
  o["hasAttempts"] = attempts.size() > 1;
  o["attempts"] = std::move(attempts);
  std::vector<std::string> facts;
  if (item.contract)
    facts = assumptionsOf(*item.contract);
  o["hasAssumptions"] = !facts.empty();
  o["assumptions"] = texts(facts);
  return withoutEmpty(std::move(o));
}

std::string countText(const Report &report) {
  unsigned good = 0, open = 0;
  for (const ReportItem &item : report.items)
    (isGood(item) ? good : open) += 1;
  if (report.items.empty())
    return report.base.empty() ? "There is no annotated loop."
                               : "No kernel has changed.";
  std::string what = report.base.empty() ? "region" : "change";
  std::string out = std::to_string(report.items.size()) + " " + what +
                    (report.items.size() == 1 ? "" : "s");
  out += open ? ", " + std::to_string(open) + " without a verified kernel"
              : ", nothing open";
  return out + ".";
}

using Escapes = llvm::DenseMap<char, std::string>;

std::string render(const Report &report, llvm::StringRef name, bool html,
                   const Escapes *escapes) {
  llvm::StringRef page;
  for (const auto &file : ReportTemplates)
    if (file.name == name)
      page = file.text;
  Array items;
  for (const ReportItem &item : report.items)
    items.push_back(itemData(item, html));
  bool hasItems = !items.empty();
  Object data = withoutEmpty(Object{{"base", report.base},
                              {"count", countText(report)},
                              {"hasItems", hasItems},
                              {"items", std::move(items)}});
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::mustache::MustacheContext context(allocator, saver);
  llvm::mustache::Template filled(page, context);
  if (escapes)
    filled.overrideEscapeCharacters(*escapes);
  std::string text;
  llvm::raw_string_ostream out(text);
  filled.render(Value(std::move(data)), out);
  return text;
}

} // namespace

std::string markdownReport(const Report &report) {
  // What would end a cell, or begin a mark or an element.
  static const Escapes escapes = [] {
    Escapes e;
    for (char c : std::string("\\`*_[]|~#"))
      e[c] = std::string("\\") + c;
    e['<'] = "&lt;";
    e['>'] = "&gt;";
    e['&'] = "&amp;";
    e['\n'] = " ";
    return e;
  }();
  return render(report, "report.md.mustache", false, &escapes);
}

std::string htmlReport(const Report &report) {
  return render(report, "report.html.mustache", true, nullptr);
}

} // namespace autokernel
