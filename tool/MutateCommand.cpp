// autokernel verify --mutate: does the verifier tell a kernel from its mutants?
//
// Each mutant is judged like a candidate, first by few cases, those that are
// left by all. Mutants that break a rule or don't compile are not counted.

#include "Commands.h"
#include "Output.h"
#include "support/Files.h"
#include "support/Messages.h"
#include "verify/Mutants.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace autokernel {

namespace {

struct Kernel {
  std::string id, file, source;
};

struct Score {
  unsigned killed = 0, survived = 0, invalid = 0;
};

class Mutation {
public:
  Mutation(const Options &options, Output &out) : options(options), out(out) {
    first = second = options;
    first.withoutNvcc = second.withoutNvcc = true;
    first.maxCases = FewCases;
    first.maxSeconds = second.maxSeconds = std::min(options.maxSeconds, 20.0);
  }

  llvm::Error kernel(const Model &model, const Kernel &kernel) {
    auto few = TemporaryFolder::make("autokernel-mutate"),
         all = TemporaryFolder::make("autokernel-mutate");
    if (!few)
      return few.takeError();
    if (!all)
      return all.takeError();
    first.knownLoop = few->path();
    second.knownLoop = all->path();
    auto evidence = judgeCandidate(second, model, kernel.source, kernel.file);
    if (!evidence)
      return evidence.takeError();
    if (evidence->verdict != Verdict::Verified)
      return llvm::createStringError(
          llvm::inconvertibleErrorCode(),
          "%s: isn't accepted itself: %s; only accepted kernels are mutated",
          kernel.file.c_str(), failureText(*evidence).c_str());
    Score score;
    Json list = Json::array();
    for (const Mutant &m : sample(mutantsOf(kernel.source)))
      if (llvm::Error e = one(model, kernel, m, score, list))
        return e;
    report(kernel, score, std::move(list));
    return llvm::Error::success();
  }

  Json kernels = Json::array();
  Score total;

private:
  static constexpr unsigned FewCases = 24;

  /// Evenly over the text.
  std::vector<Mutant> sample(std::vector<Mutant> mutants) const {
    size_t n = mutants.size(), wanted = options.mutants;
    if (wanted == 0 || wanted >= n)
      return mutants;
    std::vector<Mutant> chosen;
    for (size_t i = 0; i < wanted; ++i)
      chosen.push_back(mutants[(i * n + options.seed % n) / wanted % n]);
    return chosen;
  }

  llvm::Error one(const Model &model, const Kernel &kernel, const Mutant &m,
                  Score &score, Json &list) {
    std::string source = mutated(kernel.source, m);
    auto evidence = judgeCandidate(first, model, source, kernel.file);
    if (evidence && evidence->verdict == Verdict::Verified)
      evidence = judgeCandidate(second, model, source, kernel.file);
    if (!evidence)
      return evidence.takeError();
    const char *fate = count(*evidence, score);
    list.push_back(
        {{"line", m.line},
         {"column", m.column},
         {"kind", m.kind},
         {"before", m.before},
         {"after", m.after},
         {"fate", fate},
         {"verdict", verdictName(evidence->verdict)},
         {"gate", evidence->failure ? evidence->failure->gate : ""}});
    if (evidence->verdict == Verdict::Verified)
      out.line(displayPath(kernel.file) + ":" + std::to_string(m.line) + ":" +
               std::to_string(m.column) + ": survived: " + m.kind + ": '" +
               m.before + "' became '" + m.after + "'");
    return llvm::Error::success();
  }

  static const char *count(const Evidence &evidence, Score &score) {
    switch (evidence.verdict) {
    case Verdict::Verified:
      ++score.survived;
      return "survived";
    case Verdict::Mismatch:
    case Verdict::NotVerified:
      ++score.killed;
      return "killed";
    case Verdict::Rejected:
    case Verdict::Unsupported:
    case Verdict::Error:
      ++score.invalid;
      return "invalid";
    }
    llvm_unreachable("all verdicts are handled");
  }

  void report(const Kernel &kernel, const Score &score, Json list) {
    total.killed += score.killed;
    total.survived += score.survived;
    total.invalid += score.invalid;
    kernels.push_back({{"id", kernel.id},
                       {"file", displayPath(kernel.file)},
                       {"killed", score.killed},
                       {"survived", score.survived},
                       {"invalid", score.invalid},
                       {"mutants", std::move(list)}});
    out.line(displayPath(kernel.file) + ": " + std::to_string(score.killed) +
             " mutants killed, " + std::to_string(score.survived) +
             " survived, " + std::to_string(score.invalid) +
             " don't compile or break a rule");
  }

  const Options &options;
  Options first, second;
  Output &out;
};

llvm::Expected<Kernel> kernelOf(const Options &options, const UnitResult &unit,
                                const AnalysedRegion &region) {
  if (!options.candidate.empty()) {
    auto text = readFile(options.candidate);
    if (!text)
      return text.takeError();
    return Kernel{region.region.id, options.candidate, *text};
  }
  KernelStore store(kernelFolder(options, unit.command.file));
  auto status = statusOf(options, region, store);
  if (!status)
    return status.takeError();
  if (!status->kernel)
    return Kernel{};
  return Kernel{region.region.id, store.kernelPath(region.region.id),
                status->kernel->source};
}

llvm::Error mutateFile(const Options &options, const std::string &file,
                       Mutation &mutation) {
  auto unit = analyseFile(options, file);
  if (!unit)
    return unit.takeError();
  for (const AnalysedRegion &region : unit->regions) {
    if (!region.model ||
        (!options.region.empty() && options.region != region.region.id))
      continue;
    auto kernel = kernelOf(options, *unit, region);
    if (!kernel)
      return kernel.takeError();
    if (kernel->source.empty())
      continue;
    if (llvm::Error e = mutation.kernel(*region.model, *kernel))
      return e;
  }
  return llvm::Error::success();
}

} // namespace

llvm::Expected<int> mutateCommand(const Options &options) {
  if (!options.candidate.empty() && options.region.empty())
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        "--candidate needs --region=ID, the region it is for");
  Output out(options);
  Mutation mutation(options, out);
  for (const std::string &file : options.files)
    if (llvm::Error e = mutateFile(options, file, mutation))
      return e;
  const Score &all = mutation.total;
  unsigned counted = all.killed + all.survived;
  if (counted == 0)
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "there is no kernel to mutate: generate "
                                   "kernels first, or give --candidate");
  double score = 100.0 * all.killed / counted;
  if (options.format == Format::Json)
    llvm::outs() << Json{{"schema", "autokernel-mutants/1"},
                         {"killed", all.killed},
                         {"survived", all.survived},
                         {"invalid", all.invalid},
                         {"kernels", mutation.kernels}}
                        .dump(2)
                 << "\n";
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.1f", score);
  out.line("mutation score " + text + " %: " + std::to_string(all.killed) +
           " of " + std::to_string(counted) + " mutants killed");
  return all.survived ? 1 : 0;
}

} // namespace autokernel
