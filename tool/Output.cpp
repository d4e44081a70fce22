#include "Output.h"

#include "support/Messages.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace autokernel {

std::string verdictText(const Evidence &e) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << verdictName(e.verdict);
  if (e.verdict != Verdict::Verified)
    return text;
  os << " on the " << e.where << " (" << e.cases << " cases, ";
  if (e.bitwise)
    os << "bit for bit";
  else
    os << "worst " << llvm::format("%.2g", e.worstOfBound) << " of its bound";
  if (e.seconds > 0)
    os << ", " << llvm::format("%.1f s", e.seconds);
  os << ")";
  return text;
}

std::string failureText(const Evidence &e) {
  if (!e.failure)
    return "";
  const Failure &f = *e.failure;
  std::string out;
  if (f.place.line)
    out += displayPath(f.place.file) + ":" + std::to_string(f.place.line) +
           (f.place.column ? ":" + std::to_string(f.place.column) : "") + ": ";
  out += f.message;
  if (!f.replay.empty())
    out += "\n    in " + f.replay + ", seed " + std::to_string(e.seed);
  return out;
}

static std::string placeText(const Region &region) {
  return displayPath(region.place.file) + ":" +
         std::to_string(region.place.line) + "  " + region.id;
}

void Output::line(const std::string &text) {
  if (options.format == Format::Text)
    llvm::outs() << "[autokernel] " << text << "\n";
}

Json Output::entry(const Region &region) const {
  return {{"id", region.id},
          {"file", displayPath(region.place.file)},
          {"line", region.place.line},
          {"state", ""},
          {"class", ""},
          {"verdict", ""},
          {"where", ""},
          {"gate", ""},
          {"message", ""}};
}

/// "row reduction" and other words for the classes.
static std::string describe(const Contract &c) {
  std::string loops;
  for (const Loop &l : c.loops)
    if (l.parent < 0)
      loops += (loops.empty() ? "" : ", ") + l.counter;
  std::string out = c.regionClass + " over " + loops;
  for (const Param &p : c.params)
    if (p.isArray && p.role != Role::In)
      out += ", writes " + p.name;
  if (!c.guards.empty())
    out += ", " + std::to_string(c.guards.size()) + " guards";
  return out;
}

void Output::taken(const Model &model) {
  Json j = entry(model.region);
  j["state"] = "accepted";
  j["class"] = model.contract.regionClass;
  j["message"] = describe(model.contract);
  regions.push_back(std::move(j));
  if (!options.quiet)
    line(placeText(model.region) + "  taken: " + describe(model.contract));
}

void Output::refused(const Refusal &refusal, const std::string &id) {
  Region region;
  region.id = id;
  region.place = refusal.place;
  Json j = entry(region);
  j["state"] = "refused";
  j["message"] = refusal.message;
  j["refusal"] = {{"id", refusal.id},
                  {"line", refusal.place.line},
                  {"column", refusal.place.column},
                  {"message", refusal.message}};
  for (const Refusal::Fix &fix : refusal.fixes)
    j["refusal"]["fixes"].push_back({{"line", fix.place.line},
                                     {"column", fix.place.column},
                                     {"length", fix.length},
                                     {"text", fix.text}});
  regions.push_back(std::move(j));
  findings.push_back({refusal.id, id, refusal.place, refusal.message,
                      refusal.notes, refusal.fixes});
  std::string text = refusalText(refusal, id);
  text.pop_back();
  line(text);
}

void Output::status(const RegionStatus &s) {
  if (s.refusal) {
    refused(*s.refusal, s.region.id);
    return;
  }
  Json j = entry(s.region);
  j["state"] = stateName(s.state);
  j["class"] = s.model ? s.model->contract.regionClass : "";
  const Evidence *evidence = s.attempt ? &*s.attempt : nullptr;
  if (!evidence && s.kernel && !s.kernel->evidence.empty())
    evidence = &s.kernel->evidence.back();
  std::string origin = !s.attemptOrigin.empty() ? s.attemptOrigin
                       : s.kernel               ? s.kernel->origin
                                                : "";
  if (evidence) {
    j["verdict"] = verdictName(evidence->verdict);
    j["where"] = evidence->where;
    j["gate"] = evidence->failure ? evidence->failure->gate : "";
    j["message"] = failureText(*evidence);
  }
  if (j["message"] == "")
    j["message"] = s.reason;
  j["generator"] = origin;
  if (s.kernel)
    j["kernel"] = s.region.id + ".cu";
  bool bad = s.state != StoreState::Fresh;
  if (bad)
    findings.push_back(
        {stateName(s.state),
         s.region.id,
         s.region.place,
         "the kernel is " + std::string(stateName(s.state)) +
             (j["message"] == "" ? "" : ": " + j["message"].get<std::string>()),
         {},
         {}});
  regions.push_back(std::move(j));
  std::string text = placeText(s.region) + "  " + stateName(s.state);
  if (evidence && (s.attempt || !bad))
    text += "  " + origin + ": " + verdictText(*evidence);
  if (!s.reason.empty())
    text += "  " + s.reason;
  if (s.attempt && s.attempt->failure)
    text += "\n    " + failureText(*s.attempt);
  if (bad || !options.quiet)
    line(text);
}

void Output::attempt(const std::string &id, unsigned number, double seconds,
                     const std::string &what) {
  if (options.quiet || options.format == Format::Json)
    return;
  char time[32];
  std::snprintf(time, sizeof time, "%.1f s", seconds);
  line(id + "  attempt " + std::to_string(number) + "  " + what + "  (" + time +
       ")");
}

int Output::finish() {
  if (options.format == Format::Json)
    llvm::outs()
        << Json{{"schema", "autokernel-regions/1"}, {"regions", regions}}.dump(
               2)
        << "\n";
  if (options.format == Format::Sarif)
    llvm::outs() << sarifText(findings);
  if (options.format == Format::Github)
    llvm::outs() << githubText(findings);
  return code;
}

} // namespace autokernel
