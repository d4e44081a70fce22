// autokernel-runner <folder>: runs a candidate over a job's cases on the
// emulator.
//
// It sees the candidate and its inputs, never what the loop computes. One
// record a run goes to runner.bin. All files are open before the sandbox closes
// around it and the candidate begins.

#include "emulator/Machine.h"
#include "emulator/Report.h"
#include "support/Files.h"
#include "verify/Sandbox.h"
#include "verify/Trampolines.h"
#include "verify/runner/Execution.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace autokernel;
using emulator::Machine;
using emulator::MachineOptions;

namespace {

/// The emulator as a device.
class Emulated : public RunDevice {
public:
  explicit Emulated(Machine &machine) : machine(machine) {}
  llvm::Expected<void *> allocate(size_t bytes, const std::string &name,
                                  size_t misalign) override {
    return machine.allocate(bytes, name, misalign);
  }
  void release(void *p) override { machine.release(p); }
  void copyIn(void *device, const void *host, size_t bytes) override {
    machine.copyIn(device, host, bytes);
  }
  void copyOut(void *host, const void *device, size_t bytes) override {
    machine.copyOut(host, device, bytes);
  }
  void poison(void *device, int byte, size_t bytes) override {
    machine.fill(device, byte, bytes, false);
  }
  std::string finish() override { return ""; }
  bool guardsIntact() override { return machine.guardsIntact(); }
  std::string reports() override {
    nlohmann::json list = nlohmann::json::array();
    for (const emulator::Report &r : machine.reports())
      list.push_back(emulator::toJSON(r));
    return list.dump();
  }

private:
  Machine &machine;
};

class Runs {
public:
  Runs(const Job &job, std::FILE *file)
      : job(job), tables(job.contract), file(file) {}

  /// The plain build runs everything, the fused one a sample.
  llvm::Error candidate(const std::string &object, bool fused) {
    MachineOptions options;
    options.MaxSeconds = job.launchSeconds;
    auto machine = Machine::load(object, options);
    if (!machine)
      return machine.takeError();
    for (const Case &c : job.cases) {
      if (failures >= MaxFailures && failedSeconds > job.launchSeconds)
        break;
      if (fused && c.number % 4 != 1)
        continue;
      if (llvm::Error e = oneCase(**machine, c, fused))
        return e;
    }
    return llvm::Error::success();
  }

private:
  llvm::Error oneCase(Machine &machine, const Case &c, bool fused) {
    auto inputs =
        makeInputs(job.contract, tables, c, job.maxElements, job.maxIterations);
    if (!inputs)
      return llvm::Error::success();
    unsigned schedules = !fused && !c.large && c.number % 3 == 0 ? 3 : 1;
    for (unsigned s = 0; s < schedules; ++s) {
      machine.clearReports();
      machine.setSchedule(MachineOptions::Order(s), c.seed);
      RunnerRecord record;
      record.number = c.number;
      record.schedule = s;
      record.contract = fused;
      record.reports = "[]";
      Emulated device(machine);
      CandidateEntries entries;
      entries.call = CandidateEntries::Call(machine.symbol(CandidateEntry));
      entries.workspace =
          CandidateEntries::Workspace(machine.symbol(CandidateWorkspace));
      auto start = std::chrono::steady_clock::now();
      execute(device, entries, job.contract, c, *inputs, record);
      bool failed = !record.failure.empty() || record.reports != "[]";
      if (llvm::Error e = writeRecord(file, record))
        return e;
      if (!failed)
        continue;
      ++failures;
      failedSeconds += std::chrono::duration<double>(
                           std::chrono::steady_clock::now() - start)
                           .count();
      break;
    }
    return llvm::Error::success();
  }

  /// Quick failures don't end the run: the loop may leave such cases undefined,
  /// and the judge wants an answer to every other one.
  static constexpr unsigned MaxFailures = 3;
  const Job &job;
  Tables tables;
  std::FILE *file;
  unsigned failures = 0;
  double failedSeconds = 0;
};

/// A job with all that has to be read before the sandbox.
struct Opened {
  Job job;
  std::string plain, fused; // objects; `fused` may be empty
  std::FILE *result = nullptr;
};

llvm::Expected<Opened> open(const std::string &folder) {
  Opened out;
  auto job = readJob(folder);
  if (!job)
    return job.takeError();
  out.job = std::move(*job);
  auto plain = readFile(folder + "/" + jobfile::Candidate);
  if (!plain)
    return plain.takeError();
  out.plain = std::move(*plain);
  std::string path = folder + "/" + jobfile::CandidateFused;
  if (llvm::sys::fs::exists(path)) {
    auto fused = readFile(path);
    if (!fused)
      return fused.takeError();
    out.fused = std::move(*fused);
  }
  out.result = std::fopen((folder + "/" + jobfile::RunnerResult).c_str(), "wb");
  if (out.result)
    return out;
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "%s: the result can't be written",
                                 folder.c_str());
}

llvm::Error execute(const Opened &opened) {
  Runs runs(opened.job, opened.result);
  if (llvm::Error e = runs.candidate(opened.plain, false))
    return e;
  if (!opened.fused.empty())
    if (llvm::Error e = runs.candidate(opened.fused, true))
      return e;
  std::fclose(opened.result);
  return llvm::Error::success();
}

int failed(llvm::Error error, int code) {
  llvm::errs() << llvm::toString(std::move(error)) << "\n";
  return code;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: autokernel-runner <folder>; autokernel starts it\n";
    return 2;
  }
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto opened = open(argv[1]);
  if (!opened)
    return failed(opened.takeError(), 1);
  SandboxLimits limits;
  limits.cpuSeconds = opened->job.seconds;
  if (llvm::Error e = requireConfinement(enterSandbox(limits)))
    return failed(std::move(e), UnsandboxedExit);
  if (llvm::Error e = execute(*opened))
    return failed(std::move(e), 1);
  return 0;
}
