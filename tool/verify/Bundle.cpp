#include "verify/Bundle.h"

#include "compile/Nvcc.h"
#include "support/Files.h"
#include "verify/Job.h"
#include "verify/Trampolines.h"
#include "verify/oracle/Reference.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

namespace autokernel {

namespace {

class Bundler {
public:
  Bundler(const BundleRequest &request, const TemporaryFolder &folder)
      : request(request), folder(folder) {}

  llvm::Error run() {
    auto found = findNvcc();
    if (!found)
      return found.takeError();
    nvcc = *found;
    if (llvm::Error e = data())
      return e;
    if (llvm::Error e = loop())
      return e;
    if (llvm::Error e = kernel())
      return e;
    return link();
  }

private:
  /// Runs a tool; its output is part of the error.
  llvm::Error start(const std::string &program, std::vector<std::string> args) {
    args.insert(args.begin(), program);
    std::vector<llvm::StringRef> refs(args.begin(), args.end());
    std::string log = folder.file("log"), error;
    std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), log,
                                                  log};
    int rc = llvm::sys::ExecuteAndWait(program, refs, std::nullopt, redirects,
                                       600, 0, &error);
    if (rc == 0)
      return llvm::Error::success();
    auto text = readFile(log);
    std::string said = text ? *text : llvm::toString(text.takeError());
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   "%s failed: %s%s", program.c_str(),
                                   error.c_str(), said.c_str());
  }

  static std::string quoted(const std::string &text) {
    // As a list of numbers: no limit on the length of a literal applies.
    std::string out;
    for (unsigned char c : text)
      out += std::to_string(int(c)) + ",";
    return out + "0";
  }

  llvm::Error data() {
    Tables tables(request.verify.contract);
    Job job;
    job.contract = request.verify.contract;
    job.maxElements = request.verify.plan.largeElements;
    job.maxIterations = request.verify.plan.largeIterations;
    job.cases = planCases(job.contract, tables, request.verify.plan);
    if (job.cases.empty())
      return llvm::createStringError(
          llvm::inconvertibleErrorCode(),
          "no sizes were found for which the contract holds");
    if (llvm::Error e = writeJob(folder.path(), job))
      return e;
    auto text = readFile(folder.file(jobfile::Job));
    if (!text)
      return text.takeError();
    std::string source =
        "extern \"C\" { extern const char autokernel_bundle_job[] = {" +
        quoted(*text) +
        "};\nextern const char autokernel_bundle_evidence[] = {" +
        quoted(toJson(request.known).dump()) + "}; }\n";
    return writeFileAtomically(folder.file("data.cpp"), source);
  }

  /// Both objects define the entry; here each gets a name of its own and
  /// everything else becomes local.
  llvm::Error object(const std::string &name, const std::string &bytes) {
    std::string path = folder.file(name + ".o");
    if (llvm::Error e = writeFileAtomically(path, bytes))
      return e;
    auto objcopy = llvm::sys::findProgramByName("objcopy");
    if (!objcopy)
      return llvm::createStringError(objcopy.getError(),
                                     "objcopy is missing; install binutils");
    std::string prefix = "autokernel_" + name;
    return start(
        *objcopy,
        {"--redefine-sym", std::string(ReferenceEntry) + "=" + prefix + "_call",
         "--redefine-sym", std::string(ReferenceInit) + "=" + prefix + "_init",
         "--keep-global-symbol=" + prefix + "_call",
         "--keep-global-symbol=" + prefix + "_init", path});
  }

  llvm::Error loop() {
    ReferenceSource source;
    source.Text =
        referenceWithEntry(request.verify.contract, request.verify.reference);
    source.FileName = request.verify.referenceFile;
    source.Args = request.verify.compileArgs;
    auto objects = compileReference(source);
    if (!objects)
      return objects.takeError();
    if (llvm::Error e = object("native", objects->Native))
      return e;
    return object("twin", objects->Twin);
  }

  llvm::Error kernel() {
    return writeFileAtomically(
        folder.file("kernel.cu"),
        candidateWithEntry(request.verify.contract, request.verify.candidate));
  }

  llvm::Error link() {
    auto harness = findHelper("libautokernel_gpu_harness.a");
    if (!harness)
      return harness.takeError();
    std::vector<std::string> args = {"-std=c++17", "-O3", "-cudart", "static"};
    for (const std::string &a : request.architectures)
      args.push_back("-gencode=arch=compute_" + a + ",code=sm_" + a);
    args.insert(args.end(),
                {folder.file("kernel.cu"), folder.file("data.cpp"),
                 folder.file("native.o"), folder.file("twin.o"), *harness,
                 AUTOKERNEL_LLVM_LIBRARY_DIR "/libLLVMSupport.a",
                 AUTOKERNEL_LLVM_LIBRARY_DIR "/libLLVMDemangle.a", "-Xlinker",
                 "--gc-sections", "-Xlinker", "-s", "-Xcompiler",
                 "-static-libstdc++,-static-libgcc", "-lz", "-lzstd", "-ldl",
                 "-lpthread", "-o", request.output});
    return start(nvcc, args);
  }

  const BundleRequest &request;
  const TemporaryFolder &folder;
  std::string nvcc;
};

} // namespace

llvm::Error makeBundle(const BundleRequest &request) {
  auto folder = TemporaryFolder::make("autokernel-bundle");
  if (!folder)
    return folder.takeError();
  return Bundler(request, *folder).run();
}

} // namespace autokernel
