#include "Pipeline.h"

#include "compile/Nvcc.h"
#include "compile/Rules.h"
#include "generate/Template.h"
#include "support/Files.h"
#include "verify/Bundle.h"
#include "verify/Trampolines.h"
#include "verify/Verify.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <future>

namespace autokernel {

static constexpr uint64_t DefaultSeed = 20260101;

std::string toolVersion() { return AUTOKERNEL_VERSION; }

llvm::Expected<UnitResult> analyseFile(const Options &options,
                                       const std::string &file) {
  if (!llvm::sys::fs::exists(file))
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "%s: there is no such file", file.c_str());
  auto commands = findCommandsFor(options.buildDir, file, options.flags);
  if (!commands)
    return commands.takeError();
  return analyse(commands->front());
}

std::string kernelFolder(const Options &options, const std::string &file) {
  llvm::SmallString<256> folder(options.kernelDir);
  if (folder.empty()) {
    folder = llvm::sys::path::parent_path(file);
    llvm::sys::path::append(folder, "autokernel");
  }
  llvm::sys::fs::make_absolute(folder);
  llvm::sys::path::remove_dots(folder, true);
  return folder.str().str();
}

/// The source's path as the store records it: from the store's parent folder,
/// or the bare name of a source elsewhere.
static std::string storedPath(const std::string &store,
                              const std::string &file) {
  std::string parent = llvm::sys::path::parent_path(store).str() + "/";
  llvm::SmallString<256> path(file);
  llvm::sys::fs::make_absolute(path);
  llvm::sys::path::remove_dots(path, true);
  llvm::StringRef relative = path;
  if (relative.consume_front(parent))
    return relative.str();
  return llvm::sys::path::filename(path).str();
}

/// Another source, which is still there, has a region of this name.
static bool belongsElsewhere(const KernelStore &store, const std::string &file,
                             const StoredKernel &stored) {
  llvm::StringRef theirs = stored.contract.place.file;
  if (llvm::sys::path::filename(theirs) == llvm::sys::path::filename(file))
    return false;
  llvm::SmallString<256> path(llvm::sys::path::parent_path(store.path()));
  llvm::sys::path::append(path, theirs);
  return llvm::sys::fs::exists(path);
}

llvm::Expected<RegionStatus> statusOf(const Options &options,
                                      const AnalysedRegion &region,
                                      const KernelStore &store) {
  (void)options;
  RegionStatus status;
  status.region = region.region;
  status.model = region.model;
  status.refusal = region.refusal;
  if (region.refusal) {
    status.state = StoreState::Refused;
    status.reason = region.refusal->message;
    return status;
  }
  auto stored = store.load(region.region.id);
  if (!stored)
    return stored.takeError();
  if (!*stored)
    return status;
  if (belongsElsewhere(store, region.region.place.file, **stored))
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        "%s: the kernel '%s' in %s belongs to %s; give one of the two regions "
        "another name: [[autokernel(\"name\")]]",
        region.region.place.file.c_str(), region.region.id.c_str(),
        store.path().c_str(), (*stored)->contract.place.file.c_str());
  StateAnswer answer = stateOf(region.model->contract, **stored);
  status.state = answer.state;
  status.reason = answer.reason;
  status.kernel = std::move(**stored);
  return status;
}

// --- judging ----------------------------------------------------------------

namespace {

std::optional<Failure> ruleFailure(const Model &model,
                                   const std::string &source,
                                   const std::string &fileName,
                                   llvm::Error &error) {
  RuleRequest request;
  request.Launcher = "autokernel_" + model.contract.id;
  for (const auto &[type, name] : launcherParameters(model.contract))
    request.Parameters.push_back({type, name});
  request.FileName = fileName;
  auto result = checkRules(source, request, emulatorRuleParser());
  if (!result) {
    error = result.takeError();
    return std::nullopt;
  }
  if (result->accepted())
    return std::nullopt;
  const RuleViolation &v = result->Violations.front();
  Failure failure;
  failure.gate = "rules";
  failure.message = "[" + ruleName(v.Id).str() + "] " + v.Message;
  failure.place = {fileName, v.Line, v.Column};
  return failure;
}

struct Compiled {
  std::optional<Failure> failure;
  std::vector<ResourceSummary> resources;
  std::string compiler; // empty: no nvcc here
};

std::string firstError(const NvccResult &result, SourcePlace &place) {
  for (const NvccDiagnostic &d : result.Diagnostics)
    if (d.IsError) {
      place = {d.File, d.Line, 0};
      return d.Message;
    }
  return llvm::StringRef(result.Log).split('\n').first.str();
}

llvm::Expected<Compiled> compileReal(const Options &options,
                                     const std::string &source,
                                     const std::string &fileName) {
  Compiled out;
  if (options.withoutNvcc)
    return out;
  if (auto nvcc = findNvcc(); !nvcc)
    return nvcc.takeError();
  NvccRequest request;
  request.Source = source;
  request.FileName = fileName;
  request.Architectures.clear();
  for (const std::string &a : options.architectures)
    if (!a.empty() && llvm::isDigit(a[0]))
      request.Architectures.push_back(
          "sm_" + llvm::StringRef(a).split('-').first.str());
  if (request.Architectures.empty())
    request.Architectures = {"sm_90"};
  // The build compiles for all of them; the report needs one.
  request.Architectures.erase(request.Architectures.begin(),
                              request.Architectures.end() - 1);
  auto result = compileWithNvcc(request);
  if (!result)
    return result.takeError();
  out.compiler = "nvcc";
  if (!result->Compiled) {
    Failure failure;
    failure.gate = "compile";
    failure.message = firstError(*result, failure.place);
    out.failure = std::move(failure);
  }
  for (const KernelResources &k : result->Kernels)
    out.resources.push_back({k.Kernel, k.Architecture, k.Registers,
                             k.SpillStoreBytes + k.SpillLoadBytes,
                             k.SharedBytes, k.StackBytes});
  return out;
}

/// For a quick look: few cases and no large ones.
void limitPlan(PlanOptions &plan, unsigned maxCases) {
  plan.maxCases = maxCases;
  plan.largeElements = plan.maxElements;
  plan.largeIterations = plan.maxIterations;
}

VerifyRequest verifyRequest(const Options &options, const Model &model,
                            const std::string &source,
                            const std::string &fileName) {
  VerifyRequest request;
  request.contract = model.contract;
  request.reference = model.reference;
  request.referenceFile = model.referenceFile;
  // The command ends with the unit's own name.
  request.compileArgs.assign(model.compileArgs.begin() + 1,
                             model.compileArgs.end() - 1);
  request.candidate = source;
  request.candidateFile = fileName;
  request.seconds = options.maxSeconds;
  request.known = options.knownLoop;
  if (options.maxCases)
    limitPlan(request.plan, options.maxCases);
  request.plan.seed = options.seed ? options.seed : DefaultSeed;
  return request;
}

} // namespace

static llvm::Expected<Evidence> judgeNamed(const Options &options,
                                           const Model &model,
                                           const std::string &source,
                                           const std::string &fileName) {
  Evidence rejected;
  rejected.where = "emulator";
  rejected.fingerprint = model.contract.fingerprint;
  llvm::Error error = llvm::Error::success();
  rejected.failure = ruleFailure(model, source, fileName, error);
  if (error)
    return error;
  if (rejected.failure) {
    rejected.verdict = Verdict::Rejected;
    return rejected;
  }
  // nvcc and the emulator work side by side.
  auto real = std::async(std::launch::async, compileReal, std::cref(options),
                         std::cref(source), std::cref(fileName));
  auto verified =
      verifyOnEmulator(verifyRequest(options, model, source, fileName));
  auto compiled = real.get();
  if (!verified) {
    if (!compiled)
      llvm::consumeError(compiled.takeError());
    return verified.takeError();
  }
  if (!compiled)
    return compiled.takeError();
  if (compiled->failure && verified->verdict == Verdict::Verified) {
    verified->verdict = Verdict::Error;
    verified->failure = compiled->failure;
  }
  verified->resources = compiled->resources;
  verified->compiler = compiled->compiler;
  verified->toolVersion = toolVersion();
  verified->kernelDigest = codeDigest(source);
  verified->gates.insert(verified->gates.begin(), "rules");
  return verified;
}

// The gates know a candidate by its bare name; people get the whole path.
llvm::Expected<Evidence> judgeCandidate(const Options &options,
                                        const Model &model,
                                        const std::string &source,
                                        const std::string &path) {
  std::string name = llvm::sys::path::filename(path).str();
  auto evidence = judgeNamed(options, model, source, name);
  if (evidence && evidence->failure &&
      llvm::sys::path::filename(evidence->failure->place.file) == name)
    evidence->failure->place.file = path;
  return evidence;
}

llvm::Expected<Evidence> compileCandidate(const Options &options,
                                          const Model &model,
                                          const std::string &source,
                                          const std::string &fileName) {
  Evidence evidence;
  evidence.fingerprint = model.contract.fingerprint;
  llvm::Error error = llvm::Error::success();
  evidence.failure = ruleFailure(model, source, fileName, error);
  if (error)
    return error;
  if (evidence.failure) {
    evidence.verdict = Verdict::Rejected;
    return evidence;
  }
  auto compiled = compileReal(options, source, fileName);
  if (!compiled)
    return compiled.takeError();
  evidence.failure = compiled->failure;
  if (evidence.failure)
    evidence.verdict = Verdict::Error;
  evidence.resources = compiled->resources;
  evidence.compiler = compiled->compiler;
  return evidence;
}

// --- making kernels ---

llvm::Error keepKernel(RegionStatus &status, const KernelStore &store,
                       const Candidate &candidate,
                       const std::vector<Attempt> &attempts) {
  StoredKernel kernel;
  kernel.contract = status.model->contract;
  kernel.contract.place.file =
      storedPath(store.path(), status.region.place.file);
  kernel.origin = candidate.origin;
  kernel.mapping = candidate.mapping;
  kernel.evidence = {*status.attempt};
  kernel.reference = status.model->reference;
  kernel.source = withHeader(candidate.source,
                             kernelHeader(kernel.contract, candidate.origin,
                                          candidate.mapping, kernel.evidence));
  kernel.attempts = attempts;
  if (llvm::Error e = store.save(kernel))
    return e;
  status.kernel = std::move(kernel);
  status.state = StoreState::Fresh;
  status.reason.clear();
  status.isNew = true;
  return llvm::Error::success();
}

static void refuseForGenerator(RegionStatus &status, const std::string &why) {
  Refusal refusal;
  refusal.id = "generator-limit";
  refusal.place = status.region.place;
  refusal.message = why;
  status.refusal = refusal;
  status.state = StoreState::Refused;
  status.reason = why;
}

llvm::Error produceKernel(const Options &options, RegionStatus &status,
                          const KernelStore &store) {
  auto candidate = generateFromTemplate(*status.model);
  if (!candidate) {
    refuseForGenerator(status, llvm::toString(candidate.takeError()));
    return llvm::Error::success();
  }
  status.attemptOrigin = candidate->origin;
  auto evidence = judgeCandidate(options, *status.model, candidate->source,
                                 status.region.id + ".cu");
  if (!evidence)
    return evidence.takeError();
  status.attempt = std::move(*evidence);
  if (status.attempt->verdict != Verdict::Verified)
    return llvm::Error::success();
  Attempt attempt;
  attempt.origin = candidate->origin;
  attempt.verdict = Verdict::Verified;
  return keepKernel(status, store, *candidate, {attempt});
}

llvm::Expected<std::optional<Failure>> takeCandidate(RegionStatus &status,
                                                     const std::string &source,
                                                     const std::string &path) {
  llvm::Error error = llvm::Error::success();
  auto failure = ruleFailure(*status.model, source,
                             llvm::sys::path::filename(path).str(), error);
  if (error)
    return error;
  if (failure) {
    failure->place.file = path;
    return failure;
  }
  status.kernel.emplace();
  status.kernel->contract = status.model->contract;
  status.kernel->source = source;
  return std::nullopt;
}

llvm::Error bundleKernel(const Options &options, const RegionStatus &status,
                         const std::string &output) {
  BundleRequest request;
  request.verify = verifyRequest(options, *status.model, status.kernel->source,
                                 status.region.id + ".cu");
  request.verify.plan.largeElements = int64_t(1) << 22;
  request.verify.plan.largeIterations = 1.2e7;
  request.known.where = "gpu";
  request.known.toolVersion = toolVersion();
  request.known.compiler = "nvcc";
  request.known.seed = request.verify.plan.seed;
  request.known.fingerprint = status.model->contract.fingerprint;
  request.known.kernelDigest = codeDigest(status.kernel->source);
  request.architectures = options.architectures;
  request.output = output;
  return makeBundle(request);
}

llvm::Error reverifyKernel(const Options &options, RegionStatus &status,
                           const KernelStore &store) {
  status.attemptOrigin = status.kernel->origin;
  auto evidence = judgeCandidate(options, *status.model, status.kernel->source,
                                 store.kernelPath(status.region.id));
  if (!evidence)
    return evidence.takeError();
  status.attempt = std::move(*evidence);
  if (status.attempt->verdict != Verdict::Verified ||
      status.state == StoreState::Stale)
    return llvm::Error::success();
  StoredKernel kernel = *status.kernel;
  bool known = status.state == StoreState::Fresh;
  if (known)
    return llvm::Error::success(); // more evidence for the same kernel
  kernel.evidence = {*status.attempt};
  status.kernel = kernel;
  status.state = StoreState::Fresh;
  status.reason.clear();
  return store.save(kernel);
}

} // namespace autokernel
