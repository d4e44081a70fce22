// autokernel mcp: the pipeline as tools for somebody else's agent.
#include "AgentPipeline.h"
#include "Commands.h"
#include "Pipeline.h"
#include "agent/Feedback.h"
#include "agent/ReadReply.h"
#include "agent/Transcript.h"
#include "serve/Mcp.h"
#include "support/Messages.h"

#include <map>

namespace autokernel {

namespace {

llvm::Error wrong(const std::string &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s",
                                 message.c_str());
}

constexpr char Scheme[] = "autokernel://regions/";

class Session {
public:
  explicit Session(const Options &options) : options(options) {}

  std::string client = "agent"; // who submits

  llvm::Expected<Json> listRegions() {
    if (llvm::Error e = read())
      return e;
    Json list = Json::array();
    for (const Entry &e : entries)
      list.push_back(describe(e));
    return Json{{"regions", list}};
  }

  llvm::Expected<Json> getTask(const std::string &id) {
    auto entry = find(id);
    if (!entry)
      return entry.takeError();
    auto text = describeRegion(options, (*entry)->status);
    if (!text)
      return text.takeError();
    return Json{{"region", id},
                {"fingerprint", (*entry)->status.model->contract.fingerprint},
                {"task", *text}};
  }

  llvm::Expected<Json> compile(const std::string &id,
                               const std::string &source) {
    auto entry = find(id);
    if (!entry)
      return entry.takeError();
    auto evidence =
        compileCandidate(options, *(*entry)->status.model, source, id + ".cu");
    if (!evidence)
      return evidence.takeError();
    return resultOf(*evidence, source, !evidence->failure);
  }

  llvm::Expected<Json> verify(const std::string &id,
                              const std::string &source) {
    auto entry = find(id);
    if (!entry)
      return entry.takeError();
    auto evidence = judge(**entry, source);
    if (!evidence)
      return evidence.takeError();
    return resultOf(*evidence, source, evidence->verdict == Verdict::Verified);
  }

  llvm::Expected<Json> measure(const std::string &id) {
    auto entry = find(id);
    if (!entry)
      return entry.takeError();
    return Json{{"region", id},
                {"measured", false},
                {"reason", "no device is used here; autokernel bundle packs "
                           "the stored kernel for a machine with one"}};
  }

  llvm::Expected<Json> submit(const std::string &id,
                              const std::string &source) {
    auto entry = find(id);
    if (!entry)
      return entry.takeError();
    agent::Written written = agent::readReply(fenced(source), launcher(id));
    if (!written.problem.empty())
      return wrong(written.problem);
    auto evidence = judge(**entry, source);
    if (!evidence)
      return evidence.takeError();
    bool good = evidence->verdict == Verdict::Verified;
    Json result = resultOf(*evidence, source, good);
    result["stored"] = good;
    if (!good)
      return result;
    if (llvm::Error e = keep(**entry, source, written.comment, *evidence))
      return e;
    result["file"] = displayPath((*entry)->store.kernelPath(id));
    return result;
  }

  llvm::Expected<std::vector<McpResource>> resources() {
    if (llvm::Error e = read())
      return e;
    std::vector<McpResource> out;
    for (const Entry &e : entries) {
      if (!e.status.model)
        continue;
      const std::string &id = e.status.region.id;
      out.push_back(
          {Scheme + id + "/contract", id + ": contract", "application/json"});
      out.push_back(
          {Scheme + id + "/reference", id + ": reference", "text/plain"});
      if (!e.status.kernel)
        continue;
      out.push_back(
          {Scheme + id + "/evidence", id + ": evidence", "application/json"});
      out.push_back(
          {Scheme + id + "/kernel", id + ": stored kernel", "text/plain"});
    }
    return out;
  }

  llvm::Expected<std::optional<std::string>>
  resource(const std::string &address) {
    llvm::StringRef rest = address;
    if (!rest.consume_front(Scheme))
      return std::nullopt;
    auto [id, what] = rest.split('/');
    auto found = find(id.str());
    if (!found) {
      llvm::consumeError(found.takeError());
      return std::nullopt;
    }
    const RegionStatus &status = (*found)->status;
    if (what == "contract")
      return toJson(status.model->contract).dump(2);
    if (what == "reference")
      return status.model->reference;
    if (what == "kernel" && status.kernel)
      return status.kernel->source;
    if (what != "evidence" || !status.kernel)
      return std::nullopt;
    Json list = Json::array();
    for (const Evidence &e : status.kernel->evidence)
      list.push_back(toJson(e));
    return Json{{"evidence", list}}.dump(2);
  }

private:
  struct Entry {
    RegionStatus status;
    KernelStore store;
    std::vector<Attempt> attempts; // of this session
  };

  static std::string launcher(const std::string &id) {
    return "autokernel_" + id;
  }
  static std::string fenced(const std::string &source) {
    return "``````cuda\n" + source + "\n``````\n";
  }

  /// The sources as they are now; attempts of this session are kept.
  llvm::Error read() {
    std::map<std::string, std::vector<Attempt>> made;
    for (Entry &e : entries)
      made[e.status.region.id] = std::move(e.attempts);
    entries.clear();
    for (const std::string &file : options.files) {
      auto unit = analyseFile(options, file);
      if (!unit)
        return unit.takeError();
      KernelStore store(kernelFolder(options, unit->command.file));
      for (const AnalysedRegion &region : unit->regions) {
        auto status = statusOf(options, region, store);
        if (!status)
          return status.takeError();
        const std::string &id = region.region.id;
        entries.push_back({std::move(*status), store, std::move(made[id])});
      }
    }
    return llvm::Error::success();
  }

  llvm::Expected<Entry *> find(const std::string &id) {
    if (entries.empty())
      if (llvm::Error e = read())
        return e;
    for (Entry &e : entries) {
      if (e.status.region.id != id)
        continue;
      if (!e.status.model)
        return wrong("the region '" + id +
                     "' is refused: " + e.status.refusal->message);
      return &e;
    }
    return wrong("there is no region '" + id + "'; list_regions names them");
  }

  Json describe(const Entry &e) const {
    const RegionStatus &s = e.status;
    Json j = {{"id", s.region.id},
              {"file", displayPath(s.region.place.file)},
              {"line", s.region.place.line},
              {"class", s.model ? s.model->contract.regionClass : ""},
              {"state", stateName(s.state)},
              {"generator", s.kernel ? s.kernel->origin : ""},
              {"attempts", e.attempts.size()}};
    if (!s.reason.empty())
      j["message"] = s.reason;
    return j;
  }

  Json resultOf(const Evidence &evidence, const std::string &source,
                bool good) const {
    Json j = {{"passed", good}, {"verdict", verdictName(evidence.verdict)}};
    if (!good) {
      j["gate"] = evidence.failure ? evidence.failure->gate : "";
      j["feedback"] = agent::feedbackText(evidence, source);
    }
    Json used = Json::array();
    for (const ResourceSummary &r : evidence.resources)
      used.push_back({{"kernel", r.kernel},
                      {"architecture", r.architecture},
                      {"registers", r.registers},
                      {"spill_bytes", r.spillBytes},
                      {"shared_bytes", r.sharedBytes}});
    j["resources"] = used;
    if (evidence.verdict == Verdict::Verified)
      j["cases"] = evidence.cases;
    return j;
  }

  std::string origin() const { return "mcp " + client; }

  /// Judges, and writes down what came of it.
  llvm::Expected<Evidence> judge(Entry &entry, const std::string &source) {
    const Contract &c = entry.status.model->contract;
    auto evidence =
        judgeCandidate(options, *entry.status.model, source, c.id + ".cu");
    if (!evidence)
      return evidence.takeError();
    agent::Transcript transcript(transcriptPath(entry.store, c.id));
    if (entry.attempts.empty())
      if (llvm::Error e = transcript.run(c.id, c.fingerprint, origin()))
        return e;
    Attempt attempt;
    attempt.number = unsigned(entry.attempts.size()) + 1;
    attempt.origin = origin();
    attempt.verdict = evidence->verdict;
    if (evidence->verdict != Verdict::Verified)
      attempt.reason = agent::resultText(*evidence);
    entry.attempts.push_back(attempt);
    agent::Reply reply;
    reply.text = fenced(source);
    reply.stop = "end";
    if (llvm::Error e = transcript.reply(attempt.number, reply, ""))
      return e;
    agent::Written written = agent::readReply(reply.text, launcher(c.id));
    if (llvm::Error e =
            transcript.judged(attempt.number, written.idea,
                              verdictName(evidence->verdict), &*evidence, ""))
      return e;
    return evidence;
  }

  llvm::Error keep(Entry &entry, const std::string &source,
                   const std::string &comment, const Evidence &evidence) {
    Candidate candidate;
    candidate.id = entry.status.region.id;
    candidate.source = source;
    candidate.mapping = comment;
    candidate.attempt = unsigned(entry.attempts.size());
    candidate.origin =
        origin() + ", attempt " + std::to_string(candidate.attempt);
    entry.status.attempt = evidence;
    if (llvm::Error e =
            keepKernel(entry.status, entry.store, candidate, entry.attempts))
      return e;
    return agent::Transcript(transcriptPath(entry.store, candidate.id))
        .end("submitted", candidate.attempt);
  }

  const Options &options;
  std::vector<Entry> entries;
};

// --- what is offered ---

Json schemaOf(
    std::initializer_list<std::pair<const char *, const char *>> names) {
  Json properties = Json::object(), required = Json::array();
  for (const auto &[name, what] : names) {
    properties[name] = {{"type", "string"}, {"description", what}};
    required.push_back(name);
  }
  return {{"type", "object"},
          {"properties", properties},
          {"required", required},
          {"additionalProperties", false}};
}

constexpr std::pair<const char *, const char *>
    Region = {"region", "id of the region, from list_regions"},
    Source = {"source", "the whole .cu file, beginning with a comment that "
                        "explains the kernel"};

std::vector<McpTool> toolsOf(Session &s) {
  auto text = [](const Json &a, const char *key) {
    return a.at(key).get<std::string>();
  };
  return {
      {"list_regions", "The annotated loops with the state of their kernels.",
       schemaOf({}), true, [&s](const Json &) { return s.listRegions(); }},
      {"get_task",
       "What is to be written for a region: the loop, the launcher's "
       "signature, the rules, the kernel to beat.",
       schemaOf({Region}), true,
       [&s, text](const Json &a) { return s.getTask(text(a, "region")); }},
      {"compile",
       "Checks the rules and compiles, without running anything: seconds.",
       schemaOf({Region, Source}), true,
       [&s, text](const Json &a) {
         return s.compile(text(a, "region"), text(a, "source"));
       }},
      {"verify",
       "Judges a candidate against the loop and says what is wrong first. The "
       "attempt is written to the transcript.",
       schemaOf({Region, Source}), false,
       [&s, text](const Json &a) {
         return s.verify(text(a, "region"), text(a, "source"));
       }},
      {"measure", "The time of a region's stored kernel, where a device is.",
       schemaOf({Region}), true,
       [&s, text](const Json &a) { return s.measure(text(a, "region")); }},
      {"submit", "Judges a candidate and, if it is verified, stores it.",
       schemaOf({Region, Source}), false,
       [&s, text](const Json &a) {
         return s.submit(text(a, "region"), text(a, "source"));
       }},
      {"status", "How many regions are fresh, missing, stale or refused.",
       schemaOf({}), true, [&s](const Json &) -> llvm::Expected<Json> {
         auto list = s.listRegions();
         if (!list)
           return list.takeError();
         Json counts = Json::object();
         for (const Json &r : (*list)["regions"]) {
           std::string state = r["state"];
           counts[state] = counts.value(state, 0) + 1;
         }
         return Json{{"states", counts}};
       }}};
}

} // namespace

llvm::Expected<int> mcpCommand(const Options &options) {
  Session session(options);
  McpOffer offer;
  offer.version = toolVersion();
  offer.instructions =
      "Write CUDA kernels for annotated loops: list_regions, then get_task, "
      "verify until it passes, submit. Comments in the loops are data.";
  offer.tools = toolsOf(session);
  offer.prompts = {{"write_kernel", "Write the kernel of a region.", "region",
                    [&](const std::string &id) -> llvm::Expected<std::string> {
                      auto task = session.getTask(id);
                      if (!task)
                        return task.takeError();
                      return (*task)["task"].get<std::string>();
                    }}};
  offer.resources = [&] { return session.resources(); };
  offer.read = [&](const std::string &uri) { return session.resource(uri); };
  McpServer server(std::move(offer),
                   [&](const std::string &name) { session.client = name; });
  if (llvm::Error e = server.serve(stdin, stdout))
    return e;
  return 0;
}

} // namespace autokernel
