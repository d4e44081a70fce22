// <bundle> [results.json]: verifies one region's kernel on this machine's GPU.
//
// The loop, its twin and the kernel are linked in. Oracle and runner are
// processes of their own: first the loop, which finds the cases that it leaves
// undefined (a kernel may fault there, which ends all work on the device), then
// the kernel, of which the parent knows no results. The judge waits for both.
// The result is one evidence object, for `autokernel ingest`.

#include "support/ContractJson.h"
#include "support/Files.h"
#include "verify/Job.h"
#include "verify/Judge.h"
#include "verify/gpu/Cuda.h"
#include "verify/oracle/Loop.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <set>
#include <sys/wait.h>
#include <unistd.h>

extern "C" {
// Linked in by `autokernel bundle`.
extern const char autokernel_bundle_job[];
extern const char autokernel_bundle_evidence[]; // what is known beforehand
void autokernel_native_init();
void autokernel_native_call(void **);
void autokernel_twin_init();
void autokernel_twin_call(void **);
int autokernel_candidate_call(void **, void *, size_t, void *);
size_t autokernel_candidate_workspace(void **);
}

using namespace autokernel;

namespace {

constexpr char UndefinedSuffix[] = ".undefined";

llvm::Error oracle(const Job &job, const std::string &path) {
  std::FILE *file = std::fopen(path.c_str(), "wb");
  if (!file)
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "%s can't be written", path.c_str());
  autokernel_native_init();
  autokernel_twin_init();
  llvm::Error e =
      runLoop(job, {autokernel_native_call, autokernel_twin_call}, file);
  std::fclose(file);
  if (e)
    return e;
  auto records = readOracle(path);
  if (!records)
    return records.takeError();
  std::string undefined;
  for (const OracleRecord &r : *records)
    if (!r.problem.empty())
      undefined += std::to_string(r.number) + "\n";
  return writeFileAtomically(path + UndefinedSuffix, undefined);
}

/// Numbers of the cases that the loop leaves undefined.
llvm::Expected<std::set<unsigned>> undefinedCases(const std::string &path) {
  auto text = readFile(path + UndefinedSuffix);
  if (!text)
    return text.takeError();
  std::set<unsigned> numbers;
  for (llvm::StringRef rest = *text; !rest.empty();) {
    unsigned number = 0;
    auto [line, tail] = rest.split('\n');
    if (!line.getAsInteger(10, number))
      numbers.insert(number);
    rest = tail;
  }
  return numbers;
}

llvm::Error runner(const Job &job, const std::set<unsigned> &undefined,
                   const std::string &path) {
  auto name = CudaDevice::name();
  if (!name)
    return name.takeError();
  if (llvm::Error e = writeFileAtomically(path + ".device", *name))
    return e;
  std::FILE *file = std::fopen(path.c_str(), "wb");
  if (!file)
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "%s can't be written", path.c_str());
  Tables tables(job.contract);
  CandidateEntries entries{autokernel_candidate_call,
                           autokernel_candidate_workspace};
  for (const Case &c : job.cases) {
    if (undefined.count(c.number))
      continue;
    auto inputs =
        makeInputs(job.contract, tables, c, job.maxElements, job.maxIterations);
    for (unsigned repeat = 0; inputs && repeat < 2; ++repeat) {
      CudaDevice device;
      RunnerRecord record;
      record.number = c.number;
      record.schedule = repeat;
      execute(device, entries, job.contract, c, *inputs, record);
      if (llvm::Error e = writeRecord(file, record))
        return e;
    }
  }
  std::fclose(file);
  return llvm::Error::success();
}

template <class Work> pid_t inChild(Work work) {
  pid_t pid = fork();
  if (pid != 0)
    return pid;
  llvm::Error e = work();
  if (e)
    llvm::errs() << llvm::toString(std::move(e)) << "\n";
  _exit(e ? 1 : 0);
}

bool succeeded(pid_t pid) {
  int status = 0;
  return waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

llvm::Expected<Evidence> verify(const std::string &folder) {
  if (llvm::Error e = writeFileAtomically(folder + "/" + jobfile::Job,
                                          autokernel_bundle_job))
    return e;
  auto job = readJob(folder);
  if (!job)
    return job.takeError();
  auto json = parseJson(autokernel_bundle_evidence, "the bundle");
  if (!json)
    return json.takeError();
  auto evidence = evidenceFromJson(*json);
  if (!evidence)
    return evidence.takeError();
  std::string results = folder + "/" + jobfile::RunnerResult;
  std::string expectations = folder + "/" + jobfile::OracleResult;
  bool loopOk = succeeded(inChild([&] { return oracle(*job, expectations); }));
  auto undefined = undefinedCases(expectations);
  if (!undefined)
    return undefined.takeError();
  bool kernelOk =
      succeeded(inChild([&] { return runner(*job, *undefined, results); }));
  if (!loopOk || !llvm::sys::fs::exists(results))
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "the verification could not be run");
  auto expected = readOracle(expectations);
  if (!expected)
    return expected.takeError();
  auto got = readRunner(results);
  if (!got)
    return got.takeError();
  if (auto device = readFile(results + ".device"))
    evidence->device = *device;
  else
    llvm::consumeError(device.takeError());
  Judgement j = judge(job->contract, job->cases, *expected, *got);
  evidence->verdict = j.verdict;
  evidence->failure = j.failure;
  evidence->cases = j.cases;
  evidence->largestSize = j.largestSize;
  evidence->worstOfBound = j.worstOfBound;
  evidence->worstElement = j.worstElement;
  evidence->bitwise = j.bitwise;
  // Races and reads of unset memory need the emulator; here guard zones and
  // repeated runs are what was checked.
  if (j.verdict == Verdict::Verified)
    evidence->gates = {"guard-zones", "compare", "repeats", "ghost"};
  if (!kernelOk && j.verdict != Verdict::Mismatch) {
    evidence->verdict = Verdict::Error;
    evidence->failure = Failure{
        "runner", "the kernel's process failed", {}, "", "", "", "", ""};
  }
  return evidence;
}

} // namespace

int main(int argc, char **argv) {
  auto folder = TemporaryFolder::make("autokernel-bundle");
  llvm::Expected<Evidence> evidence =
      folder ? verify(folder->path()) : folder.takeError();
  if (!evidence) {
    llvm::errs() << llvm::toString(evidence.takeError()) << "\n";
    return 2;
  }
  auto job = parseJson(autokernel_bundle_job, "the bundle");
  std::string id = job ? (*job)["contract"]["id"].get<std::string>() : "?";
  Json result = {{"schema", "autokernel-results/1"},
                 {"id", id},
                 {"evidence", toJson(*evidence)}};
  std::string text = result.dump(2) + "\n";
  if (argc > 1) {
    if (llvm::Error e = writeFileAtomically(argv[1], text)) {
      llvm::errs() << llvm::toString(std::move(e)) << "\n";
      return 2;
    }
  } else {
    llvm::outs() << text;
  }
  bool good = evidence->verdict == Verdict::Verified;
  llvm::errs() << id << ": " << verdictName(evidence->verdict) << " on "
               << evidence->device << ", " << evidence->cases << " cases\n";
  if (evidence->failure)
    llvm::errs() << "  " << evidence->failure->message << "\n";
  return good ? 0 : 1;
}
