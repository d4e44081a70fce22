#include "verify/runner/Execution.h"

#include <cstring>

namespace autokernel {

namespace {

/// One run of the candidate: device memory, launch, results.
class Execution {
public:
  Execution(RunDevice &machine, const Contract &contract, const Case &c,
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

  void run(CandidateEntries entries, RunnerRecord &record) {
    if (llvm::Error e = place()) {
      record.failure = llvm::toString(std::move(e));
      return;
    }
    size_t bytes = entries.workspace ? entries.workspace(args.data()) : 0;
    if (bytes > (size_t(1) << 30)) {
      record.failure =
          "asks for " + std::to_string(bytes) + " bytes of workspace";
      return;
    }
    if (bytes && llvm::Error(allocate(workspace, bytes, "workspace", 0))) {
      record.failure = "the workspace can't be allocated";
      return;
    }
    int rc = entries.call(args.data(), workspace, bytes, nullptr);
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
            allocate(device[p], b.bytes.size(), param.name, misalign(p) * size))
      return e;
    if (param.role == Role::Out)
      machine.poison(device[p], int(c.poison), b.bytes.size());
    else
      machine.copyIn(device[p], b.bytes.data(), b.bytes.size());
    pointers[p] = static_cast<uint8_t *>(device[p]) - b.lo * int64_t(size);
    return llvm::Error::success();
  }

  /// In elements; in half of the cases each array has another one.
  size_t misalign(size_t p) const {
    return c.seed % 2 ? (c.misalign + p) % 4 : c.misalign;
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
    std::string problem = machine.finish();
    if (!problem.empty() && record.failure.empty())
      record.failure = problem;
    record.reports = machine.reports();
    if (!machine.guardsIntact() && record.reports == "[]" &&
        record.failure.empty())
      record.failure = "memory around a buffer was overwritten";
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

  RunDevice &machine;
  const Contract &contract;
  const Case &c;
  const InputSet &inputs;
  std::vector<uint64_t> scalars;
  std::vector<void *> device, pointers, args;
  void *workspace = nullptr;
};

} // namespace

void execute(RunDevice &device, CandidateEntries entries,
             const Contract &contract, const Case &c, const InputSet &inputs,
             RunnerRecord &record) {
  Execution(device, contract, c, inputs).run(entries, record);
}

} // namespace autokernel
