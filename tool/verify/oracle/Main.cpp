// autokernel-oracle <folder>: runs the loop and its twin over a job's cases.
//
// It sees the reference and its own copy of the inputs, never the candidate.
// One record a case goes to oracle.bin.

#include "support/Files.h"
#include "verify/oracle/Loop.h"
#include "verify/oracle/Twin.h"

#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

using namespace autokernel;

namespace {

llvm::Expected<ReferenceObject> readObjects(const std::string &folder) {
  ReferenceObject object;
  for (auto [name, target] : {std::pair{jobfile::Native, &object.Native},
                              std::pair{jobfile::NativeO0, &object.NativeO0},
                              std::pair{jobfile::Twin, &object.Twin}}) {
    auto text = readFile(folder + "/" + name);
    if (!text)
      return text.takeError();
    *target = std::move(*text);
  }
  return object;
}

llvm::Error runJob(const std::string &folder) {
  auto job = readJob(folder);
  if (!job)
    return job.takeError();
  auto objects = readObjects(folder);
  if (!objects)
    return objects.takeError();
  auto oracle = Oracle::load(*objects);
  if (!oracle)
    return oracle.takeError();
  std::FILE *file =
      std::fopen((folder + "/" + jobfile::OracleResult).c_str(), "wb");
  if (!file)
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "%s: the result can't be written",
                                   folder.c_str());
  LoopEntries entries;
  entries.native = LoopEntries::Call((*oracle)->native(ReferenceEntry));
  entries.twin = LoopEntries::Call((*oracle)->twin(ReferenceEntry));
  if (llvm::Error e = runLoop(*job, entries, file))
    return e;
  std::fclose(file);
  return llvm::Error::success();
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: autokernel-oracle <folder>; autokernel starts it\n";
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
