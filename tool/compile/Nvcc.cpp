#include "compile/Nvcc.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <unistd.h>

using namespace llvm;

namespace autokernel {

Expected<std::string> findNvcc(StringRef ToolkitFolder) {
  if (const char *Named = std::getenv("CUDACXX"); Named && *Named) {
    ErrorOr<std::string> Found = sys::findProgramByName(Named);
    if (Found && sys::fs::can_execute(*Found))
      return *Found;
    return createStringError(
        "CUDACXX names %s, which is no program: unset it or correct it", Named);
  }
  if (ErrorOr<std::string> Found = sys::findProgramByName("nvcc"))
    return *Found;
  std::vector<std::string> Folders = {"/usr/local/cuda/bin"};
  if (!ToolkitFolder.empty())
    Folders.insert(Folders.begin(),
                   {(ToolkitFolder + "/bin").str(), ToolkitFolder.str()});
  for (const std::string &Folder : Folders)
    if (ErrorOr<std::string> Found = sys::findProgramByName("nvcc", {Folder}))
      return *Found;
  return createStringError(
      "nvcc was not found in PATH or %s: install the CUDA toolkit (12.4 or "
      "newer), or set CUDACXX to its nvcc",
      join(Folders, ", ").c_str());
}

namespace {
/// A folder of our own that goes away with everything in it; nvcc's
/// intermediate files are there, too.
class TemporaryFolder {
public:
  static Expected<TemporaryFolder> create() {
    SmallString<128> Path;
    if (std::error_code E =
            sys::fs::createUniqueDirectory("autokernel-nvcc", Path))
      return createStringError(E, "no temporary folder for nvcc: %s",
                               E.message().c_str());
    return TemporaryFolder(Path.str().str());
  }
  TemporaryFolder(TemporaryFolder &&Other) : Path(std::move(Other.Path)) {
    Other.Path.clear();
  }
  ~TemporaryFolder() {
    if (!Path.empty())
      sys::fs::remove_directories(Path);
  }
  std::string file(const Twine &Name) const { return Path + "/" + Name.str(); }
  const std::string &path() const { return Path; }

private:
  explicit TemporaryFolder(std::string Path) : Path(std::move(Path)) {}
  std::string Path;
};
} // namespace

static Error writeFile(const std::string &Path, StringRef Text) {
  std::error_code E;
  raw_fd_ostream Out(Path, E);
  if (!E) {
    Out << Text;
    Out.close();
    E = Out.error();
    Out.clear_error();
  }
  return E ? createStringError(E, "can't write %s: %s", Path.c_str(),
                               E.message().c_str())
           : Error::success();
}

static std::string readFile(const std::string &Path) {
  auto Buffer = MemoryBuffer::getFile(Path);
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

static Expected<std::vector<std::string>>
commandLine(const NvccRequest &Request, const std::string &Nvcc,
            const TemporaryFolder &Folder) {
  std::vector<std::string> Args = {Nvcc, "-c", "-Xptxas", "-v"};
  for (StringRef Name : Request.Architectures) {
    StringRef Number = Name;
    if (!Number.consume_front("sm_") ||
        !all_of(Number, [](char C) { return isAlnum(C); }))
      return createStringError("%s is no CUDA architecture: write sm_90",
                               Name.str().c_str());
    Args.push_back("-gencode");
    Args.push_back(("arch=compute_" + Number + ",code=" + Name).str());
  }
  Args.insert(Args.end(), Request.Args.begin(), Request.Args.end());
  Args.insert(Args.end(), {"-o", Folder.file("candidate.o"),
                           Folder.file(sys::path::filename(Request.FileName))});
  return Args;
}

static std::vector<std::string> environmentIn(const std::string &Folder) {
  std::vector<std::string> Result = {"TMPDIR=" + Folder};
  for (char **E = environ; *E; ++E)
    if (!StringRef(*E).starts_with("TMPDIR="))
      Result.push_back(*E);
  return Result;
}

static std::vector<StringRef> references(const std::vector<std::string> &V) {
  return {V.begin(), V.end()};
}

/// Exit code. The process leads a group of its own, so that cicc, ptxas and
/// the host compiler end with it. Not ExecuteAndWait: that waits by SIGALRM
/// and leaves grandchildren behind.
static Expected<int> runInGroup(const std::vector<std::string> &Args,
                                const TemporaryFolder &Folder,
                                const std::string &Log, unsigned Seconds) {
  std::vector<std::string> Environment = environmentIn(Folder.path());
  std::vector<StringRef> Variables = references(Environment);
  std::optional<StringRef> Redirects[] = {StringRef(""), StringRef(Log),
                                          StringRef(Log)};
  std::string Message;
  bool Failed = false;
  sys::ProcessInfo Child = sys::ExecuteNoWait(
      Args[0], references(Args), ArrayRef<StringRef>(Variables), Redirects,
      /*MemoryLimit=*/0, &Message, &Failed, /*AffinityMask=*/nullptr,
      /*DetachProcess=*/true);
  if (Failed || Child.Pid <= 0)
    return createStringError("can't run %s: %s", Args[0].c_str(),
                             Message.c_str());
  scope_exit End([&] { ::kill(-Child.Pid, SIGKILL); });
  auto Deadline =
      std::chrono::steady_clock::now() + std::chrono::seconds(Seconds);
  while (std::chrono::steady_clock::now() < Deadline) {
    sys::ProcessInfo Done = sys::Wait(Child, /*SecondsToWait=*/0, &Message);
    if (Done.Pid == Child.Pid)
      return Done.ReturnCode;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ::kill(-Child.Pid, SIGKILL);
  sys::Wait(Child, std::nullopt, &Message);
  return createStringError("nvcc took more than %u s and was stopped", Seconds);
}

Expected<NvccResult> compileWithNvcc(const NvccRequest &Request) {
  Expected<std::string> Nvcc = findNvcc(Request.ToolkitFolder);
  if (!Nvcc)
    return Nvcc.takeError();
  Expected<TemporaryFolder> Folder = TemporaryFolder::create();
  if (!Folder)
    return Folder.takeError();
  auto Args = commandLine(Request, *Nvcc, *Folder);
  if (!Args)
    return Args.takeError();
  if (Error E = writeFile(Args->back(), Request.Source))
    return E;
  std::string Log = Folder->file("log");
  Expected<int> Code = runInGroup(*Args, *Folder, Log, Request.TimeoutSeconds);
  if (!Code)
    return Code.takeError();

  NvccResult Result;
  Result.Log = readFile(Log);
  Result.Compiled = *Code == 0;
  parseNvccLog(Result.Log, Result);
  bool Explained = any_of(Result.Diagnostics,
                          [](const NvccDiagnostic &D) { return D.IsError; });
  if (!Result.Compiled && !Explained)
    return createStringError("nvcc failed (exit code %d):\n%s", *Code,
                             Result.Log.c_str());
  if (Result.Compiled && Request.KeepObject)
    Result.Object = readFile(Folder->file("candidate.o"));
  return Result;
}

} // namespace autokernel
