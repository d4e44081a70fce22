#include "agent/Loop.h"

#include "agent/Feedback.h"
#include "agent/ReadReply.h"
#include "support/ContractJson.h"

#include <chrono>

namespace autokernel::agent {

namespace {

/// Failures of one idea before another is asked for.
constexpr unsigned PatienceWithAnIdea = 3;

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

class Runner {
public:
  Runner(const AgentRun &run, Provider &provider, Transcript &transcript)
      : run(run), provider(provider), transcript(transcript),
        launcher("autokernel_" + run.task.model->contract.id) {}

  llvm::Expected<AgentResult> operator()() {
    if (llvm::Error e = start())
      return e;
    for (attempt = 1; !isOver(); ++attempt) {
      auto reply = nextReply();
      if (!reply) {
        if (isStopped()) {
          llvm::consumeError(reply.takeError());
          result.end = "stopped";
          break;
        }
        return reply.takeError();
      }
      if (llvm::Error e = take(*reply)) {
        if (!isStopped()) // else the signal reached the judge's processes, too
          return e;
        llvm::consumeError(std::move(e));
        result.end = "stopped";
        break;
      }
      if (result.kept) {
        // Without measurements there is nothing that could be improved on.
        result.end = "verified";
        break;
      }
    }
    if (result.end == "stopped") // the next run goes on here
      return std::move(result);
    std::optional<unsigned> kept;
    if (result.kept)
      kept = result.kept->attempt;
    if (llvm::Error e = transcript.end(result.end, kept))
      return e;
    return std::move(result);
  }

private:
  llvm::Error start() {
    const Contract &c = run.task.model->contract;
    auto recorded = transcript.unfinished(c.fingerprint, provider.name());
    if (!recorded)
      return recorded.takeError();
    earlier = std::move(*recorded);
    auto system = systemPrompt(run.task);
    if (!system)
      return system.takeError();
    auto task = taskPrompt(run.task);
    if (!task)
      return task.takeError();
    request.system = std::move(*system);
    taskText = std::move(*task);
    request.messages = {{Message::User, taskText}};
    if (!earlier.empty())
      return llvm::Error::success();
    return transcript.run(c.id, c.fingerprint, provider.name());
  }

  bool isStopped() const { return run.stop && *run.stop; }

  bool isOver() {
    const Budget &b = run.budget;
    if (isStopped())
      result.end = "stopped";
    else if (b.attempts && attempt > b.attempts)
      result.end = "no attempts left";
    else if (b.seconds > 0 && secondsSince(begin) > b.seconds)
      result.end = "no time left";
    else if (b.tokens && result.tokens >= b.tokens)
      result.end = "no tokens left";
    else if (b.cost > 0 && result.cost >= b.cost)
      result.end = "no money left";
    return !result.end.empty();
  }

  /// From the killed run where it has one, else from the provider.
  llvm::Expected<Reply> nextReply() {
    std::string digest = digestOf(request);
    if (attempt <= earlier.size() && earlier[attempt - 1].attempt == attempt)
      return earlier[attempt - 1].reply;
    if (llvm::Error e = transcript.request(attempt, request))
      return e;
    auto reply = provider.ask(request, run.stop ? *run.stop : never);
    if (!reply)
      return reply.takeError();
    if (llvm::Error e = transcript.reply(attempt, *reply, digest))
      return e;
    return std::move(*reply);
  }

  llvm::Error take(const Reply &reply) {
    auto judging = Clock::now();
    const Usage &u = reply.usage;
    result.tokens += u.inputTokens + u.outputTokens;
    result.cost += (double(u.inputTokens) * run.budget.inputPrice +
                    double(u.outputTokens) * run.budget.outputPrice) /
                   1e6;
    Written written = readReply(reply.text, launcher);
    if (!written.problem.empty()) {
      if (llvm::Error e = transcript.judged(attempt, written.idea, "unusable",
                                            nullptr, written.problem))
        return e;
      std::string problem = reply.stop == "refusal"
                                ? "the model refused the task"
                                : written.problem;
      failed(reply, written, "Your reply can't be used: " + problem + ".\n",
             problem, Verdict::Rejected);
      return llvm::Error::success();
    }
    auto evidence = run.judge(written.source);
    if (!evidence)
      return evidence.takeError();
    if (llvm::Error e =
            transcript.judged(attempt, written.idea,
                              verdictName(evidence->verdict), &*evidence, ""))
      return e;
    result.evidence = *evidence;
    if (evidence->verdict != Verdict::Verified) {
      failed(reply, written, feedbackText(*evidence, written.source),
             resultText(*evidence), evidence->verdict);
      return llvm::Error::success();
    }
    keep(reply, written);
    report(secondsSince(judging) + reply.seconds, "verified");
    return llvm::Error::success();
  }

  void keep(const Reply &reply, const Written &written) {
    Candidate c;
    c.id = run.task.model->contract.id;
    c.source = written.source;
    c.origin = provider.name();
    if (!reply.model.empty() && c.origin.find(reply.model) == std::string::npos)
      c.origin += " (" + reply.model + ")";
    c.origin += ", attempt " + std::to_string(attempt);
    c.mapping = written.comment;
    c.attempt = attempt;
    result.attempts.push_back({attempt, c.origin, Verdict::Verified, ""});
    result.kept = std::move(c);
  }

  /// The next request: the task, this candidate, and what is wrong with it.
  void failed(const Reply &reply, const Written &written,
              const std::string &feedback, const std::string &what,
              Verdict verdict) {
    result.attempts.push_back({attempt, provider.name(), verdict, what});
    tried.push_back({attempt, written.idea, what});
    report(reply.seconds, what);
    bool fresh = tried.size() % PatienceWithAnIdea == 0;
    auto next = feedbackPrompt(run.task, feedback, tried, fresh);
    std::string text = feedback;
    if (next)
      text = std::move(*next);
    else
      llvm::consumeError(next.takeError());
    request.messages = {
        {Message::User, taskText},
        {Message::Assistant, reply.text.empty() ? "(nothing)" : reply.text},
        {Message::User, text}};
  }

  void report(double seconds, const std::string &what) {
    if (run.progress)
      run.progress(attempt, seconds, what);
  }

  const AgentRun &run;
  Provider &provider;
  Transcript &transcript;
  std::string launcher, taskText;
  Request request;
  std::vector<Recorded> earlier;
  std::vector<Tried> tried;
  AgentResult result;
  unsigned attempt = 1;
  Clock::time_point begin = Clock::now();
  std::atomic<bool> never{false};
};

} // namespace

llvm::Expected<AgentResult> runAgent(const AgentRun &run, Provider &provider,
                                     Transcript &transcript) {
  return Runner(run, provider, transcript)();
}

llvm::Expected<std::string> describeTask(const Task &task, Provider &provider) {
  Request request;
  auto system = systemPrompt(task);
  if (!system)
    return system.takeError();
  auto text = taskPrompt(task);
  if (!text)
    return text.takeError();
  request.system = std::move(*system);
  request.messages = {{Message::User, std::move(*text)}};
  return provider.describe(request);
}

} // namespace autokernel::agent
