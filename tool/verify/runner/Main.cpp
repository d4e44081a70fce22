// autokernel-runner <folder>: runs a candidate over a job's cases on the
// emulator.
//
// It sees the candidate and its inputs, never what the loop computes. One
// record a run goes to runner.bin.

#include "emulator/Machine.h"
#include "emulator/Report.h"
#include "support/Files.h"
#include "verify/Exchange.h"
#include "verify/Job.h"
#include "verify/Trampolines.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>
#include <sys/resource.h>

using namespace autokernel;
using emulator::Machine;
using emulator::MachineOptions;

namespace {

using Call = int (*)(void **, void *, size_t, void *);
using Workspace = size_t (*)(void **);

/// One run of the candidate: device memory, launch, results.
class Execution {
public:
  Execution(Machine &machine, const Contract &contract, const Case &c,
            const InputSet &inputs)
      : machine(machine), contract(contract), c(c), inputs(inputs),
        scalars(inputs.scalars), device(contract.params.size()),
        pointers(contract.params.size()), args(contract.params.size()) {}

  ~Execution() {
    for (void *p : device)
      if (p)
        machine.release(p);
    if (workspace)
      machine.release(workspace);
  }

  void run(RunnerRecord &record) {
    if (llvm::Error e = place()) {
      record.failure = llvm::toString(std::move(e));
      return;
    }
    auto entry = Call(machine.symbol(CandidateEntry));
    auto needed = Workspace(machine.symbol(CandidateWorkspace));
    size_t bytes = needed ? needed(args.data()) : 0;
    if (bytes > (size_t(1) << 30)) {
      record.failure =
          "asks for " + std::to_string(bytes) + " bytes of workspace";
      return;
    }
    if (bytes && llvm::Error(allocate(workspace, bytes, "workspace", 0))) {
      record.failure = "the workspace can't be allocated";
      return;
    }
    int rc = entry(args.data(), workspace, bytes, nullptr);
    if (rc != 0)
      record.failure = "the launcher returned CUDA error " + std::to_string(rc);
    finish(record);
  }

private:
  llvm::Error allocate(void *&where, size_t bytes, const std::string &name,
                       size_t misalign) {
    auto p = machine.allocate(bytes ? bytes : 1, name, misalign);
    if (!p)
      return p.takeError();
    where = *p;
    return llvm::Error::success();
  }

  llvm::Error place() {
    for (size_t p = 0; p < contract.params.size(); ++p) {
      const Param &param = contract.params[p];
      if (!param.isArray && param.role == Role::In) {
        args[p] = &scalars[p];
        continue;
      }
      args[p] = &pointers[p];
      if (llvm::Error e = param.isArray ? placeArray(p) : placeResult(p))
        return e;
    }
    return llvm::Error::success();
  }

  llvm::Error placeArray(size_t p) {
    const Param &param = contract.params[p];
    const Buffer &b = inputs.arrays[p];
    if (b.isNull)
      return llvm::Error::success();
    size_t size = param.type.bits / 8;
    if (llvm::Error e =
            allocate(device[p], b.bytes.size(), param.name, c.misalign * size))
      return e;
    if (param.role == Role::Out)
      machine.fill(device[p], int(c.poison), b.bytes.size(), false);
    else
      machine.copyIn(device[p], b.bytes.data(), b.bytes.size());
    pointers[p] = static_cast<uint8_t *>(device[p]) - b.lo * int64_t(size);
    return llvm::Error::success();
  }

  llvm::Error placeResult(size_t p) {
    const Param &param = contract.params[p];
    if (llvm::Error e = allocate(device[p], 8, param.name, 0))
      return e;
    if (param.role == Role::InOut)
      machine.copyIn(device[p], &scalars[p], param.type.bits / 8);
    pointers[p] = device[p];
    return llvm::Error::success();
  }

  void finish(RunnerRecord &record) {
    nlohmann::json list = nlohmann::json::array();
    for (const emulator::Report &r : machine.reports())
      list.push_back(emulator::toJSON(r));
    if (!machine.guardsIntact() && list.empty())
      record.failure = "memory around a buffer was overwritten";
    record.reports = list.dump();
    for (size_t p = 0; p < contract.params.size(); ++p)
      if (device[p])
        collect(p, record);
  }

  void collect(size_t p, RunnerRecord &record) {
    const Param &param = contract.params[p];
    size_t bytes =
        param.isArray ? inputs.arrays[p].bytes.size() : param.type.bits / 8;
    std::vector<uint8_t> now(bytes);
    machine.copyOut(now.data(), device[p], bytes);
    if (param.role != Role::In)
      record.outputs.push_back({uint32_t(p), std::move(now)});
    else if (now != inputs.arrays[p].bytes && record.failure.empty())
      record.failure = "the input '" + param.name + "' was changed";
  }

  Machine &machine;
  const Contract &contract;
  const Case &c;
  const InputSet &inputs;
  std::vector<uint64_t> scalars;
  std::vector<void *> device, pointers, args;
  void *workspace = nullptr;
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
      Execution(machine, job.contract, c, *inputs).run(record);
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
