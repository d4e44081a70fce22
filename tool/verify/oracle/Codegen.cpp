#include "verify/oracle/Codegen.h"
#include "verify/oracle/Reference.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include <mutex>

using namespace llvm;

namespace autokernel {

static void initialiseTarget() {
  static std::once_flag Once;
  std::call_once(Once, [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    InitializeNativeTargetAsmParser();
  });
}

Expected<std::unique_ptr<TargetMachine>> makeTargetMachine(const Module &M,
                                                           bool Optimise) {
  initialiseTarget();
  std::string Message;
  const Triple &T = M.getTargetTriple();
  const Target *Found = TargetRegistry::lookupTarget(T, Message);
  if (!Found)
    return createStringError("no code generator for the reference: %s",
                             Message.c_str());
  // CPU and features are function attributes, put there by Clang.
  std::unique_ptr<TargetMachine> Machine(Found->createTargetMachine(
      T, "", "", TargetOptions(), Reloc::PIC_, std::nullopt,
      Optimise ? CodeGenOptLevel::Default : CodeGenOptLevel::None));
  if (!Machine)
    return createStringError("no target machine for %s", T.str().c_str());
  return Machine;
}

/// The JIT runs no initialisers of its own: call them from one function.
static void gatherInitialisers(Module &M) {
  LLVMContext &C = M.getContext();
  auto *Type = FunctionType::get(llvm::Type::getVoidTy(C), false);
  auto *Init =
      Function::Create(Type, GlobalValue::ExternalLinkage, ReferenceInit, M);
  IRBuilder<> B(BasicBlock::Create(C, "", Init));
  if (GlobalVariable *Ctors = M.getNamedGlobal("llvm.global_ctors")) {
    std::vector<std::pair<uint64_t, Constant *>> List;
    if (auto *Array = dyn_cast<ConstantArray>(Ctors->getInitializer()))
      for (Value *V : Array->operands()) {
        auto *Entry = cast<Constant>(V);
        List.emplace_back(
            cast<ConstantInt>(Entry->getAggregateElement(0u))->getZExtValue(),
            Entry->getAggregateElement(1));
      }
    stable_sort(List, llvm::less_first());
    for (auto &[Priority, F] : List)
      B.CreateCall(Type, F);
    Ctors->eraseFromParent();
  }
  B.CreateRetVoid();
  if (GlobalVariable *Dtors = M.getNamedGlobal("llvm.global_dtors"))
    Dtors->eraseFromParent();
}

/// Destructors at exit would run after the code is gone.
static void dropExitHandlers(Module &M) {
  Function *F = M.getFunction("__cxa_atexit");
  if (!F || !F->isDeclaration())
    return;
  F->setLinkage(GlobalValue::InternalLinkage);
  IRBuilder<> B(BasicBlock::Create(M.getContext(), "", F));
  B.CreateRet(Constant::getNullValue(F->getReturnType()));
  if (GlobalVariable *Handle = M.getNamedGlobal("__dso_handle")) {
    Handle->setInitializer(Constant::getNullValue(Handle->getValueType()));
    Handle->setVisibility(GlobalValue::DefaultVisibility);
    Handle->setLinkage(GlobalValue::InternalLinkage);
  }
}

static void dropThreadLocals(Module &M) {
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (auto *Call = dyn_cast<IntrinsicInst>(&I);
          Call && Call->getIntrinsicID() == Intrinsic::threadlocal_address) {
        Call->replaceAllUsesWith(Call->getArgOperand(0));
        Call->eraseFromParent();
      }
  for (GlobalVariable &G : M.globals())
    G.setThreadLocalMode(GlobalValue::NotThreadLocal);
}

/// libgcc before 13 has no conversions to bfloat, which code generation calls.
static void defineBFloatRounding(Module &M, StringRef Name, Type *From) {
  if (M.getFunction(Name))
    return;
  LLVMContext &C = M.getContext();
  auto *F = Function::Create(
      FunctionType::get(Type::getBFloatTy(C), From, /*isVarArg=*/false),
      GlobalValue::WeakODRLinkage, Name, M);
  IRBuilder<> B(BasicBlock::Create(C, "", F));
  Value *Float = From->isFloatTy()
                     ? F->getArg(0)
                     : B.CreateFPTrunc(F->getArg(0), B.getFloatTy());
  Value *Bits = B.CreateBitCast(Float, B.getInt32Ty());
  Value *Odd = B.CreateAnd(B.CreateLShr(Bits, 16), 1);
  Value *Nearest = B.CreateAdd(Bits, B.CreateAdd(Odd, B.getInt32(0x7fff)));
  Value *Quiet = B.CreateOr(Bits, 0x400000);
  Value *Kept = B.CreateSelect(B.CreateFCmpUNO(Float, Float), Quiet, Nearest);
  Value *Top = B.CreateTrunc(B.CreateLShr(Kept, 16), B.getInt16Ty());
  B.CreateRet(B.CreateBitCast(Top, B.getBFloatTy()));
}

static bool roundsToBFloat(const Module &M) {
  for (const Function &F : M)
    for (const Instruction &I : instructions(F))
      if (isa<FPTruncInst>(I) && I.getType()->getScalarType()->isBFloatTy())
        return true;
  return false;
}

void makeLoadable(Module &M) {
  if (roundsToBFloat(M)) {
    defineBFloatRounding(M, "__truncsfbf2", Type::getFloatTy(M.getContext()));
    defineBFloatRounding(M, "__truncdfbf2", Type::getDoubleTy(M.getContext()));
  }
  gatherInitialisers(M);
  dropExitHandlers(M);
  dropThreadLocals(M);
}

Error optimise(Module &M, TargetMachine &Target, StringRef Pipeline) {
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager Components;
  ModuleAnalysisManager Modules;
  PipelineTuningOptions Tuning;
  // Calls into the run time leave nothing to vectorise.
  Tuning.LoopVectorization = Tuning.SLPVectorization = false;
  PassBuilder Builder(&Target, Tuning);
  Builder.registerModuleAnalyses(Modules);
  Builder.registerCGSCCAnalyses(Components);
  Builder.registerFunctionAnalyses(Functions);
  Builder.registerLoopAnalyses(Loops);
  Builder.crossRegisterProxies(Loops, Functions, Components, Modules);
  ModulePassManager Passes;
  if (Error E = Builder.parsePassPipeline(Passes, Pipeline))
    return E;
  Passes.run(M, Modules);
  return Error::success();
}

Expected<std::string> emitObject(Module &M, TargetMachine &Target) {
  std::string Broken;
  raw_string_ostream BrokenStream(Broken);
  if (verifyModule(M, &BrokenStream))
    return createStringError("the reference's module is malformed: %s",
                             Broken.c_str());
  M.setDataLayout(Target.createDataLayout());
  SmallVector<char, 0> Buffer;
  raw_svector_ostream Stream(Buffer);
  legacy::PassManager Passes;
  if (Target.addPassesToEmitFile(Passes, Stream, nullptr,
                                 CodeGenFileType::ObjectFile))
    return createStringError("the host's code generator emits no objects");
  Passes.run(M);
  return std::string(Buffer.begin(), Buffer.end());
}

} // namespace autokernel
