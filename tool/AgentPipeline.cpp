// Kernels from a model: the agent's loop between the stages. The template's
// kernel is made first: it is what a model has to beat, and what stays.
#include "AgentPipeline.h"

#include "agent/Loop.h"
#include "generate/Template.h"

#include "llvm/Support/FileSystem.h"

#include <csignal>
#include <unistd.h>

namespace autokernel {

static std::atomic<bool> stopped{false};

// Everything that was reached is on disk: what still runs may be cut off.
static void cutOff(int) { _exit(130); }

static void stop(int) {
  if (stopped.exchange(true))
    _exit(130);
  const char text[] = "autokernel: stopped; what was verified is stored, and "
                      "the same command goes on from here\n";
  (void)!write(2, text, sizeof text - 1);
  alarm(1);
}

bool isAgent(const Options &options) { return options.generator != "template"; }

static agent::Task taskFor(const Options &options, const Model &model,
                           const RegionStatus &status) {
  agent::Task task;
  task.model = &model;
  task.promptFolder = options.prompts;
  std::string architectures;
  for (const std::string &a : options.architectures)
    architectures += (architectures.empty() ? "" : ", ") + ("sm_" + a);
  task.device = "Device: compiled for " + architectures +
                "; no device is present here, so times aren't measured.";
  auto candidate = generateFromTemplate(model);
  if (!candidate)
    task.templateLimit = llvm::toString(candidate.takeError());
  else if (status.state == StoreState::Fresh && status.kernel &&
           status.kernel->origin == candidate->origin)
    task.templateKernel = candidate->source;
  else
    task.templateLimit = "none was made before";
  return task;
}

static llvm::Expected<std::unique_ptr<agent::Provider>>
providerFor(const Options &options) {
  agent::ProviderOptions p;
  p.kind = options.generator;
  p.model = options.model;
  p.baseUrl = options.baseUrl;
  p.keyVariable = options.keyVariable;
  p.command =
      options.generator == "replay" ? options.replay : options.agentCommand;
  p.timeoutSeconds = unsigned(options.replyTimeout);
  return agent::makeProvider(p);
}

llvm::Expected<std::string> describeRegion(const Options &options,
                                           const RegionStatus &status) {
  agent::Task task = taskFor(options, *status.model, status);
  auto system = agent::systemPrompt(task);
  if (!system)
    return system.takeError();
  auto text = agent::taskPrompt(task);
  if (!text)
    return text.takeError();
  return *system + "\n" + *text;
}

std::string transcriptPath(const KernelStore &store, const std::string &id) {
  return store.path() + "/" + id + ".transcript.jsonl";
}

llvm::Error showPrompt(const Options &options, RegionStatus &status,
                       llvm::raw_ostream &os) {
  if (!status.model)
    return llvm::Error::success();
  auto provider = providerFor(options);
  if (!provider)
    return provider.takeError();
  // Without judging: the template's kernel counts as what it is.
  agent::Task task = taskFor(options, *status.model, status);
  auto text = agent::describeTask(task, **provider);
  if (!text)
    return text.takeError();
  os << *text << "\n";
  return llvm::Error::success();
}

/// A kernel by this generator is there already.
static bool isDone(const Options &options, const RegionStatus &status) {
  return status.state == StoreState::Fresh && status.kernel &&
         llvm::StringRef(status.kernel->origin)
             .starts_with(options.generator + " ");
}

llvm::Error produceByAgent(const Options &options, RegionStatus &status,
                           const KernelStore &store,
                           const AttemptReport &report) {
  if (isDone(options, status))
    return llvm::Error::success();
  if (status.state != StoreState::Fresh) {
    RegionStatus plain = status;
    if (llvm::Error e = produceKernel(options, plain, store))
      return e;
    // A generator's limit is no refusal: a model may know better.
    if (plain.state == StoreState::Fresh)
      status = plain;
  }
  auto provider = providerFor(options);
  if (!provider)
    return provider.takeError();
  std::signal(SIGINT, stop);
  std::signal(SIGTERM, stop);
  std::signal(SIGALRM, cutOff);
  agent::AgentRun run;
  run.task = taskFor(options, *status.model, status);
  run.judge = [&](const std::string &source) {
    return judgeCandidate(options, *status.model, source,
                          status.region.id + ".cu");
  };
  run.budget.attempts = options.attempts;
  run.budget.seconds = options.maxTime;
  run.budget.tokens = options.maxTokens;
  run.progress = [&](unsigned n, double seconds, const std::string &what) {
    report(status.region.id, n, seconds, what);
  };
  run.stop = &stopped;
  agent::Transcript transcript(transcriptPath(store, status.region.id));
  auto result = agent::runAgent(run, **provider, transcript);
  if (!result)
    return result.takeError();
  if (!result->kept) {
    std::string count = std::to_string(result->attempts.size());
    status.reason = count + " attempts by " + (*provider)->name() +
                    " and no verified kernel (" + result->end + ")";
    if (status.state == StoreState::Fresh)
      status.reason += "; the stored one stays";
    else
      status.attempt = result->evidence;
    return llvm::Error::success();
  }
  status.attempt = result->evidence;
  status.attemptOrigin = result->kept->origin;
  return keepKernel(status, store, *result->kept, result->attempts);
}

bool agentWasStopped() { return stopped; }

} // namespace autokernel
