// Evidence and attempts as JSON.

#include "support/JsonReader.h"

namespace autokernel {

static constexpr const char *EvidenceSchema = "autokernel-evidence/1";

static const std::pair<Verdict, const char *> VerdictNames[] = {
    {Verdict::Verified, "verified"},
    {Verdict::Mismatch, "mismatch"},
    {Verdict::Rejected, "rejected"},
    {Verdict::NotVerified, "not-verified"},
    {Verdict::Unsupported, "unsupported"},
    {Verdict::Error, "error"}};

const char *verdictName(Verdict verdict) {
  for (const auto &[v, name] : VerdictNames)
    if (v == verdict)
      return name;
  llvm_unreachable("all verdicts are named");
}

std::optional<Verdict> verdictFromName(const std::string &name) {
  for (const auto &[v, n] : VerdictNames)
    if (name == n)
      return v;
  return std::nullopt;
}

Json toJson(const Failure &f) {
  Json j = {{"gate", f.gate}, {"message", f.message}};
  if (f.place.line)
    j["place"] = {{"file", f.place.file},
                  {"line", f.place.line},
                  {"column", f.place.column}};
  if (!f.element.empty())
    j.update({{"element", f.element},
              {"got", f.got},
              {"expected", f.expected},
              {"bound", f.bound}});
  if (!f.replay.empty())
    j["replay"] = f.replay;
  return j;
}

static Failure readFailure(JsonReader r) {
  Failure f;
  f.gate = r.text("gate");
  f.message = r.text("message");
  if (r.has("place")) {
    JsonReader place = r.object("place");
    f.place = {place.text("file"), place.small("line"), place.small("column")};
  }
  if (r.has("element")) {
    f.element = r.text("element");
    f.got = r.text("got");
    f.expected = r.text("expected");
    f.bound = r.text("bound");
  }
  if (r.has("replay"))
    f.replay = r.text("replay");
  return f;
}

Json toJson(const Evidence &e) {
  Json j = {{"schema", EvidenceSchema},
            {"verdict", verdictName(e.verdict)},
            {"where", e.where},
            {"device", e.device},
            {"compiler", e.compiler},
            {"tool", e.toolVersion},
            {"fingerprint", e.fingerprint},
            {"kernel_digest", e.kernelDigest},
            {"seed", std::to_string(e.seed)},
            {"cases", e.cases},
            {"largest_size", e.largestSize},
            {"worst_of_bound", e.worstOfBound},
            {"worst_element", e.worstElement},
            {"bitwise", e.bitwise},
            {"gates", e.gates}};
  j["resources"] = Json::array();
  for (const ResourceSummary &r : e.resources)
    j["resources"].push_back({{"kernel", r.kernel},
                              {"architecture", r.architecture},
                              {"registers", r.registers},
                              {"spill_bytes", r.spillBytes},
                              {"shared_bytes", r.sharedBytes},
                              {"stack_bytes", r.stackBytes}});
  if (e.failure)
    j["failure"] = toJson(*e.failure);
  return j;
}

llvm::Expected<Evidence> evidenceFromJson(const Json &json) {
  std::string error;
  JsonReader r(json, "", error);
  Evidence e;
  if (error.empty() && r.text("schema") != EvidenceSchema)
    r.fail("'schema' is not " + std::string(EvidenceSchema));
  if (!error.empty())
    return jsonError("evidence: " + error);
  auto verdict = verdictFromName(r.text("verdict"));
  if (verdict)
    e.verdict = *verdict;
  else
    r.fail("'verdict' is not known");
  e.where = r.text("where");
  e.device = r.text("device");
  e.compiler = r.text("compiler");
  e.toolVersion = r.text("tool");
  e.fingerprint = r.text("fingerprint");
  e.kernelDigest = r.text("kernel_digest");
  if (llvm::StringRef(r.text("seed")).getAsInteger(10, e.seed))
    r.fail("'seed' is not a number");
  e.cases = r.small("cases");
  e.largestSize = r.integer("largest_size");
  e.worstOfBound = r.number("worst_of_bound");
  e.worstElement = r.text("worst_element");
  e.bitwise = r.flag("bitwise");
  e.gates = r.texts("gates");
  r.list("resources", [&](JsonReader &i) {
    e.resources.push_back({i.text("kernel"), i.text("architecture"),
                           i.small("registers"), i.small("spill_bytes"),
                           i.small("shared_bytes"), i.small("stack_bytes")});
  });
  if (r.has("failure"))
    e.failure = readFailure(r.object("failure"));
  if (!error.empty())
    return jsonError("evidence: " + error);
  return e;
}

Json toJson(const Attempt &a) {
  return {{"number", a.number},
          {"origin", a.origin},
          {"verdict", verdictName(a.verdict)},
          {"reason", a.reason}};
}

llvm::Expected<Attempt> attemptFromJson(const Json &json) {
  std::string error;
  JsonReader r(json, "", error);
  Attempt a;
  a.number = r.small("number");
  a.origin = r.text("origin");
  auto verdict = verdictFromName(r.text("verdict"));
  if (verdict)
    a.verdict = *verdict;
  else
    r.fail("'verdict' is not known");
  a.reason = r.text("reason");
  if (!error.empty())
    return jsonError("attempt: " + error);
  return a;
}

} // namespace autokernel
