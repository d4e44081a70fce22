// conformance-runner <file.cu> <n>: calls run_0 to run_<n-1> of a file on the
// emulator, each with 1024 words of device memory that are zero. Prints a line
// of JSON a call.

#include "emulator/Emulator.h"
#include "emulator/Machine.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include <nlohmann/json.hpp>

using namespace autokernel::emulator;

static constexpr unsigned Words = 1024;

static nlohmann::json call(Machine &machine, int (*launcher)(unsigned *)) {
  machine.clearReports();
  auto memory = machine.allocate(Words * sizeof(unsigned), "out");
  if (!memory)
    return {{"code", llvm::toString(memory.takeError())}};
  machine.fill(*memory, 0, Words * sizeof(unsigned), true);
  int code = launcher(static_cast<unsigned *>(*memory));
  std::vector<unsigned> words(Words);
  machine.copyOut(words.data(), *memory, Words * sizeof(unsigned));
  machine.release(*memory);
  nlohmann::json reports = nlohmann::json::array();
  for (const Report &r : machine.reports())
    reports.push_back(toJSON(r));
  return {{"code", code}, {"words", words}, {"reports", reports}};
}

static llvm::Error run(llvm::StringRef file, unsigned count) {
  auto text = llvm::MemoryBuffer::getFile(file);
  if (!text)
    return llvm::createStringError(text.getError(), "%s: can't be read",
                                   file.str().c_str());
  auto object = compileForEmulator((*text)->getBuffer(), file);
  if (!object)
    return object.takeError();
  MachineOptions options;
  options.MaxSeconds = 5;
  auto machine = Machine::load(object->Object, options);
  if (!machine)
    return machine.takeError();
  for (unsigned n = 0; n < count; ++n) {
    std::string name = "run_" + std::to_string(n);
    void *entry = (*machine)->symbol(name);
    if (!entry)
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     "there is no %s", name.c_str());
    llvm::outs()
        << call(**machine, reinterpret_cast<int (*)(unsigned *)>(entry)).dump()
        << "\n";
  }
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  unsigned count = 0;
  if (argc != 3 || llvm::StringRef(argv[2]).getAsInteger(10, count)) {
    llvm::errs() << "usage: conformance-runner <file.cu> <n>\n";
    return 2;
  }
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  if (llvm::Error e = run(argv[1], count)) {
    llvm::errs() << llvm::toString(std::move(e)) << "\n";
    return 1;
  }
  return 0;
}
