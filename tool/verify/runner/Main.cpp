// autokernel-runner <folder>: runs a candidate over a job's cases on the
// emulator.
//
// It sees the candidate and its inputs, never what the loop computes. One
// record a run goes to runner.bin.

#include "emulator/Machine.h"
#include "emulator/Report.h"
#include "support/Files.h"
#include "verify/Trampolines.h"
#include "verify/runner/Execution.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

#include <sys/resource.h>

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
    auto bytes = readFile(object);
    if (!bytes)
      return bytes.takeError();
    MachineOptions options;
    options.MaxSeconds = job.launchSeconds;
    auto machine = Machine::load(*bytes, options);
    if (!machine)
      return machine.takeError();
    for (const Case &c : job.cases) {
      if (failures >= MaxFailures)
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
      execute(device, entries, job.contract, c, *inputs, record);
      bool failed = !record.failure.empty() || record.reports != "[]";
      if (llvm::Error e = writeRecord(file, record))
        return e;
      failures += failed;
      if (failed)
        break;
    }
    return llvm::Error::success();
  }

  static constexpr unsigned MaxFailures = 3;
  const Job &job;
  Tables tables;
  std::FILE *file;
  unsigned failures = 0;
};

void limitResources() {
  rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  rlimit file{rlim_t(4) << 30, rlim_t(4) << 30};
  setrlimit(RLIMIT_FSIZE, &file);
}

llvm::Error runJob(const std::string &folder) {
  auto job = readJob(folder);
  if (!job)
    return job.takeError();
  std::FILE *file =
      std::fopen((folder + "/" + jobfile::RunnerResult).c_str(), "wb");
  if (!file)
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "%s: the result can't be written",
                                   folder.c_str());
  limitResources();
  Runs runs(*job, file);
  if (llvm::Error e = runs.candidate(folder + "/" + jobfile::Candidate, false))
    return e;
  std::string fused = folder + "/" + jobfile::CandidateFused;
  if (llvm::sys::fs::exists(fused))
    if (llvm::Error e = runs.candidate(fused, true))
      return e;
  std::fclose(file);
  return llvm::Error::success();
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: autokernel-runner <folder>; autokernel starts it\n";
    return 2;
  }
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  if (llvm::Error e = runJob(argv[1])) {
    llvm::errs() << llvm::toString(std::move(e)) << "\n";
    return 1;
  }
  return 0;
}
