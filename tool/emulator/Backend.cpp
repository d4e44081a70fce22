//===- Backend.cpp - optimise and emit ------------------------------------===//

#include "emulator/Passes.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include <mutex>

using namespace llvm;

namespace autokernel::emulator {

namespace {
/// The analysis managers of the new pass manager, which need each other.
struct Analyses {
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager Graphs;
  ModuleAnalysisManager Modules;

  explicit Analyses(PassBuilder &Builder) {
    Builder.registerModuleAnalyses(Modules);
    Builder.registerCGSCCAnalyses(Graphs);
    Builder.registerFunctionAnalyses(Functions);
    Builder.registerLoopAnalyses(Loops);
    Builder.crossRegisterProxies(Loops, Functions, Graphs, Modules);
  }
};
} // namespace

// Other threads run during a barrier, so nothing that a function is given is
// private to the running thread, whatever __restrict__ says about its own
// accesses. Inlining would turn the attribute into metadata.
static void dropNoAlias(Module &Module) {
  for (Function &F : Module)
    for (Argument &A : F.args())
      A.removeAttr(Attribute::NoAlias);
}

void inlineWrappers(Module &Module) {
  dropNoAlias(Module);
  PassBuilder Builder;
  Analyses A(Builder);
  ModulePassManager Passes;
  Passes.addPass(AlwaysInlinerPass(/*InsertLifetime=*/true));
  Passes.run(Module, A.Modules);
}

void optimise(Module &Module, TargetMachine &Target, bool Check) {
  PipelineTuningOptions Tuning;
  // Masked and gathered accesses would escape the checks.
  Tuning.LoopVectorization = !Check;
  PassBuilder Builder(&Target, Tuning);
  Analyses A(Builder);
  Builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2)
      .run(Module, A.Modules);
}

Expected<std::unique_ptr<TargetMachine>> hostTarget() {
  static std::once_flag Once;
  std::call_once(Once, [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
  });
  std::string Message;
  Triple Host(sys::getDefaultTargetTriple());
  const Target *T = TargetRegistry::lookupTarget(Host, Message);
  if (!T)
    return createStringError(Message);
  return std::unique_ptr<TargetMachine>(T->createTargetMachine(
      Host, "", "", TargetOptions(), Reloc::PIC_, CodeModel::Small));
}

Expected<std::string> emitObject(Module &Module, TargetMachine &Target) {
  SmallString<0> Bytes;
  raw_svector_ostream Stream(Bytes);
  legacy::PassManager Passes;
  if (Target.addPassesToEmitFile(Passes, Stream, nullptr,
                                 CodeGenFileType::ObjectFile))
    return createStringError("this host has no object emitter");
  Passes.run(Module);
  return Bytes.str().str();
}

} // namespace autokernel::emulator
