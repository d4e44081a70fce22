#include "verify/Verify.h"

#include "emulator/Emulator.h"
#include "support/Files.h"
#include "verify/Helper.h"
#include "verify/Job.h"
#include "verify/Judge.h"
#include "verify/Sandbox.h"
#include "verify/Trampolines.h"
#include "verify/oracle/Reference.h"

#include "llvm/Support/FileSystem.h"

#include <algorithm>
#include <chrono>

namespace autokernel {

namespace {

class Verification {
public:
  explicit Verification(const VerifyRequest &request) : request(request) {}

  llvm::Expected<Evidence> run() {
    auto start = std::chrono::steady_clock::now();
    evidence.where = "emulator";
    evidence.fingerprint = request.contract.fingerprint;
    evidence.seed = request.plan.seed;
    auto finish = [&] {
      evidence.seconds = std::chrono::duration<double>(
                             std::chrono::steady_clock::now() - start)
                             .count();
      return std::move(evidence);
    };
    auto folder = TemporaryFolder::make("autokernel-verify");
    if (!folder)
      return folder.takeError();
    auto compiled = compileCandidate(*folder);
    if (!compiled)
      return compiled.takeError();
    if (!*compiled)
      return finish();
    if (!plan())
      return finish();
    if (!isLoopKnown())
      if (llvm::Error e = compileLoop(*folder))
        return e;
    if (llvm::Error e = execute(*folder))
      return e;
    return finish();
  }

private:
  /// Compiles for both of nvcc's ways with multiply-add; false where the
  /// evidence says why not.
  llvm::Expected<bool> compileCandidate(const TemporaryFolder &folder) {
    std::string text = candidateWithEntry(request.contract, request.candidate);
    for (bool fused : {false, true}) {
      emulator::EmulatorOptions options;
      options.Contract = fused;
      auto object =
          emulator::compileForEmulator(text, request.candidateFile, options);
      if (!object) {
        explain(object.takeError());
        return false;
      }
      if (llvm::Error e = writeFileAtomically(
              folder.file(fused ? jobfile::CandidateFused : jobfile::Candidate),
              object->Object))
        return e;
    }
    return true;
  }

  void explain(llvm::Error error) {
    Failure failure;
    failure.gate = "compile";
    evidence.verdict = Verdict::Error;
    llvm::handleAllErrors(
        std::move(error),
        [&](const emulator::UnsupportedOnEmulator &e) {
          evidence.verdict = Verdict::Unsupported;
          failure.gate = "emulator";
          failure.message = e.message();
        },
        [&](const llvm::ErrorInfoBase &e) { failure.message = e.message(); });
    evidence.failure = std::move(failure);
  }

  bool plan() {
    Tables tables(request.contract);
    job.contract = request.contract;
    job.maxElements = request.plan.largeElements;
    job.maxIterations = request.plan.largeIterations;
    job.seconds = request.seconds;
    job.launchSeconds = std::min(job.launchSeconds, request.seconds / 4);
    job.cases = planCases(request.contract, tables, request.plan);
    if (!job.cases.empty())
      return true;
    evidence.verdict = Verdict::Unsupported;
    evidence.failure = Failure{
        "sanity",
        "untestable: no sizes were found for which every extent and guard of "
        "the contract holds; autokernel_assume or extents in the attribute "
        "would help",
        {},
        "",
        "",
        "",
        "",
        ""};
    return false;
  }

  llvm::Error compileLoop(const TemporaryFolder &folder) {
    ReferenceSource source;
    source.Text = referenceWithEntry(request.contract, request.reference);
    source.FileName = request.referenceFile;
    source.Args = request.compileArgs;
    auto objects = compileReference(source);
    if (!objects)
      return objects.takeError();
    for (auto [name, text] : {std::pair{jobfile::Native, &objects->Native},
                              std::pair{jobfile::NativeO0, &objects->NativeO0},
                              std::pair{jobfile::Twin, &objects->Twin}})
      if (llvm::Error e = writeFileAtomically(folder.file(name), *text))
        return e;
    return llvm::Error::success();
  }

  llvm::Error execute(const TemporaryFolder &folder) {
    if (llvm::Error e = writeJob(folder.path(), job))
      return e;
    auto runner = Helper::start("autokernel-runner", folder.path());
    if (!runner)
      return runner.takeError();
    if (!isLoopKnown())
      if (llvm::Error e = executeLoop(folder))
        return e;
    HelperEnd kernel = (*runner)->wait(request.seconds);
    if (kernel.exitCode == UnsandboxedExit)
      return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s",
                                     kernel.text.c_str());
    return decide(folder, kernel);
  }

  std::string oracleResult(const std::string &folder) const {
    return folder + "/" + jobfile::OracleResult;
  }

  bool isLoopKnown() const {
    return !request.known.empty() &&
           llvm::sys::fs::exists(oracleResult(request.known));
  }

  llvm::Error executeLoop(const TemporaryFolder &folder) {
    auto oracle = Helper::start("autokernel-oracle", folder.path());
    if (!oracle)
      return oracle.takeError();
    HelperEnd loop = (*oracle)->wait(request.seconds);
    if (!loop.good())
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     "the loop can't be executed: %s",
                                     loop.text.c_str());
    if (request.known.empty())
      return llvm::Error::success();
    return llvm::errorCodeToError(llvm::sys::fs::copy_file(
        oracleResult(folder.path()), oracleResult(request.known)));
  }

  llvm::Error decide(const TemporaryFolder &folder, const HelperEnd &kernel) {
    auto expected =
        readOracle(oracleResult(isLoopKnown() ? request.known : folder.path()));
    if (!expected)
      return expected.takeError();
    std::vector<RunnerRecord> records;
    if (llvm::sys::fs::exists(folder.file(jobfile::RunnerResult))) {
      auto read = readRunner(folder.file(jobfile::RunnerResult));
      if (!read)
        return read.takeError();
      records = std::move(*read);
    }
    Judgement j = judge(request.contract, job.cases, *expected, records);
    evidence.verdict = j.verdict;
    evidence.failure = j.failure;
    evidence.cases = j.cases;
    evidence.largestSize = j.largestSize;
    evidence.worstOfBound = j.worstOfBound;
    evidence.worstElement = j.worstElement;
    evidence.bitwise = j.bitwise;
    evidence.gates = j.gates;
    if (!kernel.good() && j.verdict != Verdict::Mismatch) {
      evidence.verdict =
          kernel.outOfTime ? Verdict::NotVerified : Verdict::Mismatch;
      evidence.failure = Failure{
          "runner", "the kernel's process " + kernel.text, {}, "", "", "", "",
          ""};
    }
    return llvm::Error::success();
  }

  const VerifyRequest &request;
  Job job;
  Evidence evidence;
};

} // namespace

llvm::Expected<Evidence> verifyOnEmulator(const VerifyRequest &request) {
  return Verification(request).run();
}

} // namespace autokernel
