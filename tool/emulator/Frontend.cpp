//===- Frontend.cpp - Clang's part of the emulator's compiler -------------===//

#include "emulator/Frontend.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/CodeGen/CGFunctionInfo.h"
#include "clang/CodeGen/CodeGenABITypes.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/IR/IRBuilder.h"

using namespace clang;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace autokernel::emulator {

char UnsupportedOnEmulator::ID = 0;

namespace {

/// Keeps Clang's text, errors apart from warnings.
class KeepDiagnostics : public DiagnosticConsumer {
public:
  std::string Errors, Warnings;
  bool Unsupported = false;

  void BeginSourceFile(const LangOptions &Options,
                       const Preprocessor *PP) override {
    Printer.BeginSourceFile(Options, PP);
  }
  void EndSourceFile() override { Printer.EndSourceFile(); }
  void HandleDiagnostic(DiagnosticsEngine::Level Level,
                        const Diagnostic &Info) override;

private:
  std::string Text;
  llvm::raw_string_ostream Stream{Text};
  DiagnosticOptions Options;
  TextDiagnosticPrinter Printer{Stream, Options};
  bool InError = false;
};

} // namespace

static bool containsAny(StringRef Text, llvm::ArrayRef<StringRef> Signs) {
  return llvm::any_of(Signs,
                      [&](StringRef Sign) { return Text.contains(Sign); });
}

// "... 'name'; did you mean 'other'?", where only one letter is different.
static bool isTypo(StringRef Message) {
  auto [Before, After] = Message.split("'; did you mean '");
  StringRef Name = Before.rsplit("'").second, Other = After.split("'").first;
  return !Other.empty() && Name.edit_distance(Other) <= 1;
}

// Names that CUDA's own headers may well declare: ours are a subset, so this
// isn't known to be the candidate's mistake.
static bool mayBeInTheToolkit(StringRef Message) {
  if (isTypo(Message))
    return false;
  if (Message.contains("file not found"))
    return containsAny(Message, {"'cu", "'thrust/", "'cooperative_groups/",
                                 "'nv", "'cute/", "'mma"});
  return containsAny(
      Message, {"undeclared identifier 'cuda", "undeclared identifier '__",
                "undeclared identifier 'nvcuda'", "undeclared identifier 'cub'",
                "undeclared identifier 'thrust'", "unknown type name 'cuda",
                "unknown type name '__", "in namespace 'cooperative_groups'",
                "in namespace 'cuda"});
}

// PTX and device-side launches are refused by Clang in words of its own.
static bool saysUnsupported(StringRef Message) {
  return mayBeInTheToolkit(Message) ||
         containsAny(Message, {"unsupported on the emulator", "in asm",
                               "inline asm", "reference to __global__ function",
                               "kernel launch from __device__", "'tex2D'",
                               "'tex1Dfetch'"});
}

void KeepDiagnostics::HandleDiagnostic(DiagnosticsEngine::Level Level,
                                       const Diagnostic &Info) {
  DiagnosticConsumer::HandleDiagnostic(Level, Info);
  Printer.HandleDiagnostic(Level, Info);
  if (Level >= DiagnosticsEngine::Error) {
    llvm::SmallString<256> Message;
    Info.FormatDiagnostic(Message);
    Unsupported |= saysUnsupported(Message);
  }
  if (Level >= DiagnosticsEngine::Warning)
    InError = Level >= DiagnosticsEngine::Error;
  (InError ? Errors : Warnings) += Text;
  Text.clear();
}

namespace {

class ModuleAction : public ASTFrontendAction {
public:
  ModuleAction(llvm::LLVMContext &Context, bool IsDevice)
      : Context(Context), IsDevice(IsDevice) {}
  FrontendModule Result;

protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 StringRef File) override;
  void EndSourceFileAction() override;

private:
  llvm::LLVMContext &Context;
  bool IsDevice;
  CodeGenerator *Generator = nullptr;
};

/// Builds the function that unpacks `void **` for one kernel. The order and
/// the coercion of LLVM's arguments are the ABI's affair, so it is asked.
class TrampolineBuilder {
public:
  TrampolineBuilder(llvm::Function &Kernel, const FunctionDecl &Decl,
                    CodeGen::CodeGenModule &CGM);
  llvm::Function *build();

private:
  void passParameter(unsigned Index, const CodeGen::ABIArgInfo &Info);
  void passDirect(llvm::Value *From, const CodeGen::ABIArgInfo &Info);

  llvm::Function &Kernel;
  const FunctionDecl &Decl;
  CodeGen::CodeGenModule &CGM;
  llvm::Function *Trampoline;
  llvm::IRBuilder<> Builder;
  llvm::SmallVector<llvm::Value *, 16> Passed;
};

} // namespace

TrampolineBuilder::TrampolineBuilder(llvm::Function &Kernel,
                                     const FunctionDecl &Decl,
                                     CodeGen::CodeGenModule &CGM)
    : Kernel(Kernel), Decl(Decl), CGM(CGM), Builder(Kernel.getContext()) {
  llvm::LLVMContext &Context = Kernel.getContext();
  auto *Type =
      llvm::FunctionType::get(llvm::Type::getVoidTy(Context),
                              {llvm::PointerType::getUnqual(Context)}, false);
  Trampoline = llvm::Function::Create(Type, llvm::GlobalValue::InternalLinkage,
                                      "__ak_trampoline." + Kernel.getName(),
                                      Kernel.getParent());
  Builder.SetInsertPoint(
      llvm::BasicBlock::Create(Context, "entry", Trampoline));
}

// A flattened struct is passed as its members, each an argument of its own.
void TrampolineBuilder::passDirect(llvm::Value *From,
                                   const CodeGen::ABIArgInfo &Info) {
  llvm::Type *Type = Info.getCoerceToType();
  if (unsigned Offset = Info.getDirectOffset())
    From = Builder.CreateConstGEP1_32(Builder.getInt8Ty(), From, Offset);
  auto *Struct = llvm::dyn_cast<llvm::StructType>(Type);
  if (!Struct || !Info.isDirect() || !Info.getCanBeFlattened()) {
    Passed.push_back(Builder.CreateAlignedLoad(Type, From, llvm::Align(1)));
    return;
  }
  for (unsigned I = 0; I < Struct->getNumElements(); ++I)
    Passed.push_back(Builder.CreateAlignedLoad(
        Struct->getElementType(I), Builder.CreateStructGEP(Struct, From, I),
        llvm::Align(1)));
}

void TrampolineBuilder::passParameter(unsigned Index,
                                      const CodeGen::ABIArgInfo &Info) {
  llvm::Type *Pointer = Builder.getPtrTy();
  llvm::Value *From = Builder.CreateLoad(
      Pointer,
      Builder.CreateConstGEP1_32(Pointer, Trampoline->getArg(0), Index));
  switch (Info.getKind()) {
  case CodeGen::ABIArgInfo::Ignore:
    return;
  case CodeGen::ABIArgInfo::Indirect:
  case CodeGen::ABIArgInfo::IndirectAliased:
    Passed.push_back(From);
    return;
  case CodeGen::ABIArgInfo::Extend: {
    // Booleans live in memory as bytes and are passed as bits.
    llvm::Type *Wanted = Kernel.getFunctionType()->getParamType(Passed.size());
    llvm::Type *Stored = Wanted->isIntegerTy(1) ? Builder.getInt8Ty() : Wanted;
    llvm::Value *Loaded =
        Builder.CreateAlignedLoad(Stored, From, llvm::Align(1));
    Passed.push_back(Builder.CreateTrunc(Loaded, Wanted));
    return;
  }
  case CodeGen::ABIArgInfo::Direct:
    passDirect(From, Info);
    return;
  default:
    llvm::report_fatal_error("kernel parameter with an unknown ABI");
  }
}

llvm::Function *TrampolineBuilder::build() {
  auto Proto = Decl.getType()->getCanonicalTypeUnqualified();
  const CodeGen::CGFunctionInfo &Info =
      CodeGen::arrangeFreeFunctionType(CGM, Proto.getAs<FunctionProtoType>());
  unsigned Index = 0;
  for (const CodeGen::CGFunctionInfoArgInfo &Argument : Info.arguments())
    passParameter(Index++, Argument.info);
  llvm::CallInst *Call = Builder.CreateCall(&Kernel, Passed);
  Call->setCallingConv(Kernel.getCallingConv());
  Call->setAttributes(Kernel.getAttributes());
  Builder.CreateRetVoid();
  return Trampoline;
}

static unsigned maxThreads(const FunctionDecl &Decl,
                           const ASTContext &Context) {
  const auto *Bounds = Decl.getAttr<CUDALaunchBoundsAttr>();
  if (!Bounds || !Bounds->getMaxThreads())
    return 0;
  auto Value = Bounds->getMaxThreads()->getIntegerConstantExpr(Context);
  return Value ? unsigned(Value->getZExtValue()) : 0;
}

static KernelEntry describeKernel(llvm::Function &F, const FunctionDecl &Decl,
                                  CodeGen::CodeGenModule &CGM) {
  const ASTContext &Context = Decl.getASTContext();
  KernelEntry Entry;
  llvm::raw_string_ostream Name(Entry.Name);
  PrintingPolicy Policy(Context.getLangOpts());
  Policy.SuppressUnwrittenScope = true;
  Decl.getNameForDiagnostic(Name, Policy, true);
  Entry.Symbol = F.getName().str();
  Entry.Line =
      Context.getSourceManager().getExpansionLineNumber(Decl.getLocation());
  Entry.MaxThreads = maxThreads(Decl, Context);
  Entry.Kernel = &F;
  Entry.Trampoline = TrampolineBuilder(F, Decl, CGM).build();
  return Entry;
}

std::unique_ptr<ASTConsumer>
ModuleAction::CreateASTConsumer(CompilerInstance &CI, StringRef File) {
  auto Consumer = CreateLLVMCodeGen(CI, File, Context);
  Generator = Consumer.get();
  return Consumer;
}

void ModuleAction::EndSourceFileAction() {
  if (getCompilerInstance().getDiagnostics().hasErrorOccurred())
    return;
  llvm::Module *Module = Generator->GetModule();
  if (!Module)
    return;
  std::vector<std::pair<llvm::Function *, const FunctionDecl *>> Kernels;
  for (llvm::Function &F : *Module) {
    const auto *Decl = llvm::dyn_cast_or_null<FunctionDecl>(
        Generator->GetDeclForMangledName(F.getName()));
    if (!F.isDeclaration() && Decl && Decl->hasAttr<CUDAGlobalAttr>())
      Kernels.push_back({&F, Decl});
  }
  if (IsDevice)
    for (auto [F, Decl] : Kernels)
      Result.Kernels.push_back(describeKernel(*F, *Decl, Generator->CGM()));
  Result.Module = Generator->ReleaseModule();
}

static llvm::Error asError(const KeepDiagnostics &Diagnostics) {
  if (Diagnostics.Unsupported)
    return llvm::make_error<UnsupportedOnEmulator>(
        (UnsupportedMark + "\n" + Diagnostics.Errors).str());
  return llvm::createStringError(Diagnostics.Errors.empty()
                                     ? std::string("compilation failed")
                                     : Diagnostics.Errors);
}

Expected<FrontendModule> runFrontend(StringRef Source, StringRef FileName,
                                     EmulatorSide Side,
                                     const EmulatorOptions &Options,
                                     llvm::LLVMContext &Context) {
  auto Files = emulatorHeaders();
  Files->addFile(FileName, 0, llvm::MemoryBuffer::getMemBufferCopy(Source));
  std::vector<std::string> Arguments = emulatorArguments(Side, Options);
  Arguments.push_back(FileName.str());
  std::vector<const char *> Pointers;
  for (const std::string &Argument : Arguments)
    Pointers.push_back(Argument.c_str());

  KeepDiagnostics Diagnostics;
  DiagnosticOptions DiagnosticOpts;
  DiagnosticsEngine Engine(DiagnosticIDs::create(), DiagnosticOpts,
                           &Diagnostics, /*ShouldOwnClient=*/false);
  auto Invocation = std::make_shared<CompilerInvocation>();
  if (!CompilerInvocation::CreateFromArgs(*Invocation, Pointers, Engine))
    return asError(Diagnostics);

  CompilerInstance CI(Invocation);
  CI.setVerboseOutputStream(llvm::nulls()); // No "1 error generated".
  CI.setVirtualFileSystem(Files);
  CI.createDiagnostics(&Diagnostics, /*ShouldOwnClient=*/false);
  ModuleAction Action(Context, Side == EmulatorSide::Device);
  if (!CI.ExecuteAction(Action) || !Action.Result.Module)
    return asError(Diagnostics);
  Action.Result.Warnings = Diagnostics.Warnings;
  return std::move(Action.Result);
}

} // namespace autokernel::emulator
