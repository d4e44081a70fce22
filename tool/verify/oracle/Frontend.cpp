#include "verify/oracle/Frontend.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/Version.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Driver/CreateInvocationFromArgs.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <cstdlib>
#include <dlfcn.h>

using namespace llvm;

namespace autokernel {

static std::string clangLibraryFolder() {
  Dl_info Info;
  // Any function that lives in the Clang library will do.
  auto *Anchor = reinterpret_cast<void *>(&clang::getClangFullVersion);
  if (!dladdr(Anchor, &Info) || !Info.dli_fname)
    return "";
  SmallString<256> Real;
  if (sys::fs::real_path(Info.dli_fname, Real))
    return "";
  return sys::path::parent_path(Real).str();
}

Expected<std::string> findResourceDirectory() {
  std::vector<std::string> Tried;
  if (const char *Env = std::getenv("AUTOKERNEL_RESOURCE_DIR"))
    Tried.push_back(Env);
  std::string Folder = clangLibraryFolder(), Major = CLANG_VERSION_MAJOR_STRING;
  Tried.push_back(Folder + "/clang/" + Major);
  Tried.push_back(Folder + "/../llvm-" + Major + "/lib/clang/" + Major);
  Tried.push_back(AUTOKERNEL_RESOURCE_DIR);
  Tried.push_back("/usr/lib/llvm-" + Major + "/lib/clang/" + Major);
  Tried.push_back("/usr/lib/clang/" + Major);
  for (const std::string &Dir : Tried)
    if (sys::fs::exists(Dir + "/include/stddef.h"))
      return Dir;
  return createStringError(
      "Clang's own headers were not found (tried %s); install "
      "libclang-common-%s-dev or set AUTOKERNEL_RESOURCE_DIR",
      join(Tried, ", ").c_str(), Major.c_str());
}

static std::vector<std::string> flavourArguments(Flavour F) {
  switch (F) {
  case Flavour::Native:
    // What the language leaves undefined says nothing about a kernel.
    return {"-O2", "-fsanitize=signed-integer-overflow,array-bounds,shift",
            "-fsanitize-trap=all"};
  case Flavour::NativeO0:
    return {"-O0"};
  case Flavour::Twin:
    // Unoptimised but not optnone: shadows are placed before any float
    // optimisation. Complex products stay inline instead of calling __mulsc3.
    return {"-O1",
            "-Xclang",
            "-disable-llvm-passes",
            "-fno-fast-math",
            "-fno-math-errno",
            "-ffp-contract=off",
            "-fcomplex-arithmetic=improved"};
  }
  llvm_unreachable("every flavour has its arguments");
}

static std::vector<std::string> driverArguments(const ReferenceSource &Source,
                                                Flavour F, StringRef Resource) {
  std::vector<std::string> Args = {"clang", "-resource-dir", Resource.str()};
  append_range(Args, keepArguments(Source.Args));
  append_range(Args, flavourArguments(F));
  if (is_contained(Source.Args, "-fwrapv"))
    Args.push_back("-fno-sanitize=signed-integer-overflow,shift");
  append_range(Args, std::vector<std::string>{
                         "-w", "-fPIC", "-U_FORTIFY_SOURCE", Source.FileName});
  return Args;
}

static IntrusiveRefCntPtr<vfs::FileSystem>
overlay(const ReferenceSource &Source) {
  auto Memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  auto Over = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(
      vfs::createPhysicalFileSystem());
  std::string Directory = workingDirectoryOf(Source.Args);
  if (!Directory.empty())
    Over->setCurrentWorkingDirectory(Directory);
  if (auto Cwd = Over->getCurrentWorkingDirectory())
    Memory->setCurrentWorkingDirectory(*Cwd);
  Memory->addFile(Source.FileName, 0,
                  MemoryBuffer::getMemBufferCopy(Source.Text));
  Over->pushOverlay(std::move(Memory));
  return Over;
}

static Error compileError(const ReferenceSource &Source, StringRef Text) {
  return createStringError("the reference %s does not compile:\n%s",
                           Source.FileName.c_str(), Text.str().c_str());
}

Expected<std::unique_ptr<Module>> emitModule(const ReferenceSource &Source,
                                             Flavour F, LLVMContext &Context) {
  Expected<std::string> Resource = findResourceDirectory();
  if (!Resource)
    return Resource.takeError();
  std::string Log;
  raw_string_ostream LogStream(Log);
  clang::DiagnosticOptions DiagOptions;
  clang::TextDiagnosticPrinter Printer(LogStream, DiagOptions);
  IntrusiveRefCntPtr<vfs::FileSystem> Files = overlay(Source);
  auto Diags = clang::CompilerInstance::createDiagnostics(
      *Files, DiagOptions, &Printer, /*ShouldOwnClient=*/false);

  std::vector<std::string> Args = driverArguments(Source, F, *Resource);
  std::vector<const char *> Raw;
  for (const std::string &A : Args)
    Raw.push_back(A.c_str());
  clang::CreateInvocationOptions Options;
  Options.Diags = Diags;
  Options.VFS = Files;
  std::shared_ptr<clang::CompilerInvocation> Invocation =
      clang::createInvocation(Raw, Options);
  if (!Invocation)
    return compileError(Source, Log);
  Invocation->getFrontendOpts().DisableFree = false;

  clang::CompilerInstance Compiler(std::move(Invocation));
  Compiler.setVerboseOutputStream(nulls());
  Compiler.setVirtualFileSystem(Files);
  Compiler.createDiagnostics(&Printer, /*ShouldOwnClient=*/false);
  clang::EmitLLVMOnlyAction Action(&Context);
  if (!Compiler.ExecuteAction(Action))
    return compileError(Source, Log);
  std::unique_ptr<Module> M = Action.takeModule();
  if (!M)
    return compileError(Source, Log);
  return M;
}

} // namespace autokernel
