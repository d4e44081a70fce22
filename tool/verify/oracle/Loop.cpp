#include "verify/oracle/Loop.h"

#include "verify/oracle/TwinMemory.h"

#include <csetjmp>
#include <csignal>
#include <cstring>

namespace autokernel {

namespace {

using Entry = LoopEntries::Call;

sigjmp_buf recovery;
void onSignal(int number) { siglongjmp(recovery, number); }

/// Runs `entry`; the signal that ended it, or 0.
int guarded(Entry entry, void **args) {
  if (int number = sigsetjmp(recovery, 1))
    return number;
  entry(args);
  return 0;
}

/// A region's arguments in this process: arrays between guard zones.
class Arguments {
public:
  Arguments(const Contract &contract, const InputSet &inputs)
      : contract(contract), inputs(inputs), scalars(inputs.scalars) {
    size_t n = contract.params.size();
    memory.resize(n);
    pointers.resize(n);
    args.resize(n);
    for (size_t p = 0; p < n; ++p)
      place(p);
  }

  void **list() { return args.data(); }

  uint8_t *data(size_t p) {
    return contract.params[p].isArray
               ? memory[p].data() + Guard
               : reinterpret_cast<uint8_t *>(&scalars[p]);
  }

  bool guardsIntact() const {
    for (const std::vector<uint8_t> &m : memory)
      for (size_t i = 0; i < std::min<size_t>(Guard, m.size()); ++i)
        if (m[i] != Canary || m[m.size() - 1 - i] != Canary)
          return false;
    return true;
  }

private:
  static constexpr size_t Guard = 4096;
  static constexpr uint8_t Canary = 0xC9;

  void place(size_t p) {
    const Param &param = contract.params[p];
    if (!param.isArray) {
      pointers[p] = &scalars[p];
      args[p] = param.role == Role::In ? static_cast<void *>(&scalars[p])
                                       : static_cast<void *>(&pointers[p]);
      return;
    }
    const Buffer &b = inputs.arrays[p];
    memory[p].assign(b.bytes.size() + 2 * Guard, Canary);
    std::memcpy(memory[p].data() + Guard, b.bytes.data(), b.bytes.size());
    int64_t offset = b.lo * int64_t(param.type.bits / 8);
    pointers[p] = b.isNull ? nullptr : memory[p].data() + Guard - offset;
    args[p] = &pointers[p];
  }

  const Contract &contract;
  const InputSet &inputs;
  std::vector<uint64_t> scalars;
  std::vector<std::vector<uint8_t>> memory;
  std::vector<void *> pointers, args;
};

bool isOutput(const Param &p) { return p.role != Role::In; }

class Runner {
public:
  Runner(const Job &job, LoopEntries entries)
      : contract(job.contract), native(entries.native), twin(entries.twin) {}

  OracleRecord run(const Case &c, const InputSet &inputs) {
    OracleRecord record;
    record.number = c.number;
    record.iterations = inputs.iterations;
    Arguments loop(contract, inputs), shadow(contract, inputs);
    forgetShadows();
    int number = guarded(native, loop.list());
    if (number == 0)
      number = guarded(twin, shadow.list());
    if (number != 0)
      record.problem = number == SIGFPE ? "the loop divides an integer by zero"
                       : number == SIGILL
                           ? "the loop itself does what the language leaves "
                             "undefined"
                           : "the loop itself reads or writes out of bounds";
    else if (!loop.guardsIntact())
      record.problem = "the loop itself writes outside the extents";
    if (!record.problem.empty())
      return record;
    for (size_t p = 0; p < contract.params.size(); ++p)
      if (isOutput(contract.params[p]) && !inputs.arrays[p].isNull)
        record.outputs.push_back(output(p, inputs, loop, shadow));
    return record;
  }

private:
  OracleOutput output(size_t p, const InputSet &inputs, Arguments &loop,
                      Arguments &shadow) {
    const Param &param = contract.params[p];
    size_t size = param.type.bits / 8;
    size_t count = param.isArray ? size_t(inputs.arrays[p].count) : 1;
    OracleOutput out;
    out.param = p;
    out.first = param.isArray ? inputs.arrays[p].lo : 0;
    out.loop.assign(loop.data(p), loop.data(p) + count * size);
    if (param.isArray)
      out.before = inputs.arrays[p].bytes;
    else
      out.before.assign(reinterpret_cast<const uint8_t *>(&inputs.scalars[p]),
                        reinterpret_cast<const uint8_t *>(&inputs.scalars[p]) +
                            size);
    if (param.type.kind != ElementType::Float)
      return out;
    for (size_t i = 0; i < count; ++i) {
      TwinValue v = twinValueOf(shadow.data(p) + i * size, size);
      out.twin.push_back(v.Value);
      out.magnitude.push_back(v.Magnitude);
      out.error.push_back(v.Error);
      out.known.push_back(v.Known);
    }
    return out;
  }

  const Contract &contract;
  Entry native, twin;
};

} // namespace

llvm::Error runLoop(const Job &job, LoopEntries entries, std::FILE *file) {
  for (int number : {SIGFPE, SIGILL, SIGSEGV, SIGBUS})
    std::signal(number, onSignal);
  Tables tables(job.contract);
  Runner runner(job, entries);
  for (const Case &c : job.cases) {
    auto inputs =
        makeInputs(job.contract, tables, c, job.maxElements, job.maxIterations);
    if (!inputs)
      continue;
    if (llvm::Error e = writeRecord(file, runner.run(c, *inputs)))
      return e;
  }
  return llvm::Error::success();
}

} // namespace autokernel
