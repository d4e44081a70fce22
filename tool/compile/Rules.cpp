#include "compile/Rules.h"
#include "compile/RuleContext.h"
#include "emulator/Emulator.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace autokernel {

static constexpr StringLiteral Folder = "/autokernel/candidate/";
static constexpr StringLiteral ExpectedNamespace = "autokernel_rule";

StringRef ruleName(RuleId Id) {
  static const char *const Names[] = {
#define RULE(Id, Name, Sentence) Name,
#include "compile/Rules.def"
  };
  return Names[unsigned(Id)];
}

StringRef ruleSentence(RuleId Id) {
  static const char *const Sentences[] = {
#define RULE(Id, Name, Sentence) Sentence,
#include "compile/Rules.def"
  };
  return Sentences[unsigned(Id)];
}

RuleParser emulatorRuleParser() {
  using namespace emulator;
  EmulatorOptions Options;
  Options.Check = false; // no instrumentation: the AST is all that's wanted
  return {emulatorHeaders(), emulatorArguments(EmulatorSide::Host, Options),
          emulatorArguments(EmulatorSide::Device, Options)};
}

namespace {

/// Where each part of the compilation is.
struct Places {
  std::string Candidate, Wrapper;
  explicit Places(const RuleRequest &Request)
      : Candidate((Folder + sys::path::filename(Request.FileName)).str()),
        Wrapper((Folder + "with-expected-launcher.cu").str()) {}
};

bool isIn(const clang::SourceManager &SM, clang::SourceLocation L,
          StringRef File) {
  return L.isValid() && SM.getFilename(SM.getExpansionLoc(L)) == File;
}

RuleId ruleOfError(unsigned DiagnosticId) {
  return DiagnosticId == clang::diag::err_cuda_device_kernel_launch_require_rdc
             ? RuleId::DynamicParallelism
             : RuleId::Parse;
}

/// Errors in the candidate are its violations; those behind it mean that the
/// contract's own types don't compile.
class CollectErrors : public clang::DiagnosticConsumer {
public:
  CollectErrors(const Places &P, RuleReport &Report) : P(P), Report(Report) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &D) override {
    DiagnosticConsumer::HandleDiagnostic(Level, D);
    // What Clang ignores another compiler may heed.
    StringRef Option =
        D.getDiags()->getDiagnosticIDs()->getWarningOptionForDiag(D.getID());
    bool Ignored =
        Option == "unknown-attributes" || Option == "ignored-attributes";
    if (Level < clang::DiagnosticsEngine::Error && !Ignored)
      return;
    SmallString<128> Text;
    D.FormatDiagnostic(Text);
    if (!D.hasSourceManager() ||
        !isIn(D.getSourceManager(), D.getLocation(), P.Candidate)) {
      Elsewhere += (Text + "\n").str();
      return;
    }
    clang::SourceManager &SM = D.getSourceManager();
    clang::SourceLocation L = SM.getExpansionLoc(D.getLocation());
    Report.add(Ignored ? RuleId::Attribute : ruleOfError(D.getID()),
               SM.getSpellingLineNumber(L), SM.getSpellingColumnNumber(L),
               Text.str().str());
  }
  std::string Elsewhere;

private:
  const Places &P;
  RuleReport &Report;
};

/// Macros that the compiler predefines tell compilers apart.
class MacroCheck : public clang::PPCallbacks {
public:
  MacroCheck(clang::SourceManager &SM, const Places &P, RuleReport &Report)
      : SM(SM), P(P), Report(Report) {}

  void MacroExpands(const clang::Token &Name, const clang::MacroDefinition &D,
                    clang::SourceRange, const clang::MacroArgs *) override {
    const clang::MacroInfo *Info = D.getMacroInfo();
    clang::SourceLocation Spelled = SM.getSpellingLoc(Name.getLocation());
    bool Own = SM.getFilename(Spelled) == P.Candidate ||
               SM.isWrittenInScratchSpace(Spelled);
    if (!Own || !isIn(SM, Name.getLocation(), P.Candidate))
      return;
    clang::SourceLocation From = Info->getDefinitionLoc();
    bool Predefined = Info->isBuiltinMacro() || From.isInvalid() ||
                      SM.isWrittenInBuiltinFile(From) ||
                      SM.isWrittenInCommandLineFile(From);
    if (!Predefined || Name.getIdentifierInfo()->isStr("__VA_OPT__") ||
        Name.getIdentifierInfo()->isStr("__syncthreads")) // see targetPtx
      return;
    clang::SourceLocation L = SM.getExpansionLoc(Name.getLocation());
    Report.add(
        RuleId::Macro, SM.getSpellingLineNumber(L),
        SM.getSpellingColumnNumber(L),
        (Name.getIdentifierInfo()->getName() + " is the compiler's").str());
  }

private:
  clang::SourceManager &SM;
  const Places &P;
  RuleReport &Report;
};

const clang::FunctionDecl *
findExpected(const clang::TranslationUnitDecl &Unit) {
  for (const clang::Decl *D : Unit.decls())
    if (auto *N = dyn_cast<clang::NamespaceDecl>(D);
        N && N->getNameAsString() == ExpectedNamespace)
      for (const clang::Decl *Inner : N->decls())
        if (auto *F = dyn_cast<clang::FunctionDecl>(Inner))
          return F;
  return nullptr;
}

class RuleConsumer : public clang::ASTConsumer {
public:
  RuleConsumer(const Places &P, const RuleRequest &Request, RuleReport &Report)
      : P(P), Request(Request), Report(Report) {}

  void HandleTranslationUnit(clang::ASTContext &AST) override {
    if (AST.getDiagnostics().hasErrorOccurred())
      return; // an AST with holes proves nothing, and the errors are reported
    clang::SourceManager &SM = AST.getSourceManager();
    auto File = SM.getFileManager().getOptionalFileRef(P.Candidate);
    RuleContext C{AST, SM, SM.translateFile(*File), Request, Report};
    C.Expected = findExpected(*AST.getTranslationUnitDecl());
    checkDeclarations(C, *AST.getTranslationUnitDecl());
    checkHost(C);
    checkDevice(C);
    checkRecursion(C);
  }

private:
  const Places &P;
  const RuleRequest &Request;
  RuleReport &Report;
};

class RuleAction : public clang::ASTFrontendAction {
public:
  RuleAction(const Places &P, const RuleRequest &Request, RuleReport &Report)
      : P(P), Request(Request), Report(Report) {}

  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &CI, StringRef) override {
    CI.getPreprocessor().addPPCallbacks(
        std::make_unique<MacroCheck>(CI.getSourceManager(), P, Report));
    return std::make_unique<RuleConsumer>(P, Request, Report);
  }

private:
  const Places &P;
  const RuleRequest &Request;
  RuleReport &Report;
};

} // namespace

/// The candidate, then the launcher's type as the contract has it: types are
/// compared as types, whatever their spelling.
static std::string wrapperText(const RuleRequest &Request) {
  std::string Text =
      "#include \"" + sys::path::filename(Request.FileName).str() +
      "\"\nnamespace " + ExpectedNamespace.str() + " {\ncudaError_t launcher(";
  for (const RuleParameter &P : Request.Parameters)
    Text += P.Type + ", ";
  return Text + "void *, size_t, cudaStream_t);\n}\n";
}

static IntrusiveRefCntPtr<vfs::FileSystem>
filesOf(StringRef Candidate, const RuleRequest &Request,
        const RuleParser &Parser, const Places &P, unsigned Architecture) {
  auto Memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  Memory->addFile(P.Candidate, 0, MemoryBuffer::getMemBufferCopy(Candidate));
  Memory->addFile(P.Wrapper, 0,
                  MemoryBuffer::getMemBufferCopy(wrapperText(Request)));
  std::string Define = ("#undef __CUDA_ARCH__\n#define __CUDA_ARCH__ " +
                        Twine(Architecture) + "\n")
                           .str();
  Memory->addFile(Folder + "architecture.h", 0,
                  MemoryBuffer::getMemBufferCopy(Define));
  auto Files = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(Parser.Headers);
  Files->pushOverlay(std::move(Memory));
  return Files;
}

/// Operands of PTX have constraints that only the real target knows.
static void targetPtx(std::vector<std::string> &Args) {
  for (size_t I = 0; I + 1 < Args.size();) {
    if (Args[I] == "-triple")
      Args[I + 1] = "nvptx64-nvidia-cuda";
    bool HostsOwn = Args[I] == "-target-feature" || Args[I] == "-target-cpu";
    if (HostsOwn)
      Args.erase(Args.begin() + I, Args.begin() + I + 2);
    else
      ++I;
  }
  // A builtin of that target, which the headers define.
  Args.push_back("-D__syncthreads=__syncthreads_of_headers");
}

/// Architecture 0: the host's side.
static Error parseOnce(StringRef Candidate, const RuleRequest &Request,
                       const RuleParser &Parser, unsigned Architecture,
                       RuleReport &Report) {
  Places P(Request);
  auto Files = filesOf(Candidate, Request, Parser, P, Architecture);
  std::vector<std::string> Args =
      Architecture ? Parser.DeviceArgs : Parser.HostArgs;
  if (Architecture)
    Args.insert(Args.end(), {"-include", (Folder + "architecture.h").str()});
  if (Architecture && Request.AllowInlineAssembly)
    targetPtx(Args);
  Args.push_back(P.Wrapper);
  std::vector<const char *> Raw;
  for (const std::string &A : Args)
    Raw.push_back(A.c_str());

  CollectErrors Collector(P, Report);
  clang::DiagnosticOptions DiagOptions;
  auto Diags = clang::CompilerInstance::createDiagnostics(
      *Files, DiagOptions, &Collector, /*ShouldOwnClient=*/false);
  auto Invocation = std::make_shared<clang::CompilerInvocation>();
  if (!clang::CompilerInvocation::CreateFromArgs(*Invocation, Raw, *Diags))
    return createStringError("the rule checker's arguments are wrong: %s",
                             Collector.Elsewhere.c_str());
  Invocation->getFrontendOpts().DisableFree = false;
  clang::CompilerInstance Compiler(std::move(Invocation));
  Compiler.setVerboseOutputStream(nulls());
  Compiler.setVirtualFileSystem(Files);
  Compiler.createDiagnostics(&Collector, /*ShouldOwnClient=*/false);
  RuleAction Action(P, Request, Report);
  if (!Compiler.ExecuteAction(Action) && Report.empty())
    return createStringError("the candidate can't be judged:\n%s",
                             Collector.Elsewhere.c_str());
  return Error::success();
}

Expected<RuleResult> checkRules(StringRef Candidate, const RuleRequest &Request,
                                const RuleParser &Parser) {
  RuleReport Report;
  checkTokens(Candidate, Request, Report);
  std::vector<unsigned> Sides = {0};
  Sides.insert(Sides.end(), Request.Architectures.begin(),
               Request.Architectures.end());
  for (unsigned Architecture : Sides)
    if (Error E = parseOnce(Candidate, Request, Parser, Architecture, Report))
      return E;
  return RuleResult{Report.violations()};
}

} // namespace autokernel
