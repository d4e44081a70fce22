//===- DeviceModule.cpp - variables, sites and registration ---------------===//

#include "emulator/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include <map>

using namespace llvm;

namespace autokernel::emulator {

namespace {

// Between two shared variables, and larger than any vector access.
constexpr uint64_t RedZone = 128;

// What ptxas refuses too.
constexpr uint64_t MaxStaticShared = 48 * 1024;

class DevicePreparation {
public:
  DevicePreparation(FrontendModule &Device, SiteTable &Sites)
      : Device(Device), Module(*Device.Module), Sites(Sites),
        Init(Module.getContext()) {}
  Error run();

private:
  void makeInit();
  void adjustAttributes();
  Error moveVariables();
  void moveShared(GlobalVariable &Variable);
  void moveDynamicShared(GlobalVariable &Variable);
  Error moveToHeap(GlobalVariable &Variable);
  void replaceInFunctions(GlobalVariable &Variable,
                          function_ref<Value *(IRBuilder<> &)> Make);
  void replaceTraps();
  void saturateConversions();
  void placeCalls();
  Error registerKernels();
  Error checkSupported();
  void internalise();
  uint64_t sharedBytes(Function &Kernel);
  void call(StringRef Name, ArrayRef<Value *> Arguments);
  Constant *text(StringRef Text);
  GlobalVariable *external(StringRef Name);

  FrontendModule &Device;
  llvm::Module &Module;
  SiteTable &Sites;
  IRBuilder<> Init;
  uint64_t SharedEnd = 0;
  std::map<Function *, uint64_t> SharedUse; ///< Bytes named by each function.
};

} // namespace

static std::string shortName(const GlobalVariable &Variable) {
  std::string Name = demangle(Variable.getName());
  size_t Colons = Name.rfind("::");
  return Colons == std::string::npos ? Name : Name.substr(Colons + 2);
}

void DevicePreparation::makeInit() {
  LLVMContext &Context = Module.getContext();
  auto *F =
      Function::Create(FunctionType::get(Init.getVoidTy(), false),
                       GlobalValue::ExternalLinkage, DeviceInitName, Module);
  Init.SetInsertPoint(BasicBlock::Create(Context, "entry", F));
  Init.SetInsertPoint(Init.CreateRetVoid());
}

void DevicePreparation::call(StringRef Name, ArrayRef<Value *> Arguments) {
  SmallVector<Type *, 8> Types;
  for (Value *Argument : Arguments)
    Types.push_back(Argument->getType());
  Init.CreateCall(Module.getOrInsertFunction(
                      Name, FunctionType::get(Init.getVoidTy(), Types, false)),
                  Arguments);
}

Constant *DevicePreparation::text(StringRef Text) {
  return Init.CreateGlobalString(Text, "ak.text");
}

GlobalVariable *DevicePreparation::external(StringRef Name) {
  auto *Variable = cast<GlobalVariable>(Module.getOrInsertGlobal(
      Name, PointerType::getUnqual(Module.getContext())));
  Variable->setConstant(true);
  return Variable;
}

void DevicePreparation::adjustAttributes() {
  for (Function &F : Module)
    F.removeFnAttr(Attribute::MustProgress);
  // Constant for the thread that reads them, hence free to be kept.
  for (StringRef Name : {"threadIdx", "blockIdx", "blockDim", "gridDim"})
    if (GlobalVariable *Variable = Module.getGlobalVariable(Name))
      Variable->setConstant(true);
}

void DevicePreparation::replaceInFunctions(
    GlobalVariable &Variable, function_ref<Value *(IRBuilder<> &)> Make) {
  convertUsersOfConstantsToInstructions({&Variable});
  std::map<Function *, Value *> Made;
  for (Use &U : make_early_inc_range(Variable.uses())) {
    auto *I = dyn_cast<Instruction>(U.getUser());
    if (!I)
      continue;
    Value *&Replacement = Made[I->getFunction()];
    if (!Replacement) {
      BasicBlock &Entry = I->getFunction()->getEntryBlock();
      IRBuilder<> Builder(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
      Replacement = Make(Builder);
    }
    U.set(Replacement);
  }
}

void DevicePreparation::moveShared(GlobalVariable &Variable) {
  const DataLayout &Layout = Module.getDataLayout();
  uint64_t Size = Layout.getTypeAllocSize(Variable.getValueType());
  uint64_t Offset =
      alignTo(SharedEnd + RedZone,
              std::max<uint64_t>(16, Variable.getAlign().valueOrOne().value()));
  SharedEnd = Offset + Size;
  call("__ak_register_shared",
       {Init.getInt64(Offset), Init.getInt64(Size), text(shortName(Variable))});
  GlobalVariable *Arena = external("__ak_shared_arena");
  replaceInFunctions(Variable, [&](IRBuilder<> &Builder) {
    SharedUse[Builder.GetInsertBlock()->getParent()] += Size;
    Value *Base = Builder.CreateLoad(Builder.getPtrTy(), Arena);
    return Builder.CreateConstGEP1_64(Builder.getInt8Ty(), Base, Offset);
  });
}

void DevicePreparation::moveDynamicShared(GlobalVariable &Variable) {
  GlobalVariable *Dynamic = external("__ak_dynamic_shared");
  replaceInFunctions(Variable, [&](IRBuilder<> &Builder) {
    return Builder.CreateLoad(Builder.getPtrTy(), Dynamic);
  });
}

// The variable itself stays as the image that the machine copies at loading.
Error DevicePreparation::moveToHeap(GlobalVariable &Variable) {
  auto *Pointer = PointerType::getUnqual(Module.getContext());
  auto *Slot =
      new GlobalVariable(Module, Pointer, false, GlobalValue::InternalLinkage,
                         ConstantPointerNull::get(Pointer), "ak.slot");
  Slot->setExternallyInitialized(true);
  replaceInFunctions(Variable, [&](IRBuilder<> &Builder) {
    return Builder.CreateLoad(Pointer, Slot);
  });
  if (!Variable.use_empty())
    return make_error<UnsupportedOnEmulator>(
        (UnsupportedMark + "the address of '" + shortName(Variable) +
         "' in a constant initialiser")
            .str());
  Variable.setExternallyInitialized(false);
  uint64_t Size =
      Module.getDataLayout().getTypeAllocSize(Variable.getValueType());
  call("__ak_register_variable",
       {text(Variable.getName()), text(shortName(Variable)), Slot, &Variable,
        Init.getInt64(Size), Init.getInt32(Variable.isConstant())});
  return Error::success();
}

// Static variables inside functions too, but not what the sanitizer says.
static bool isDeviceVariable(const GlobalVariable &Variable) {
  if (!Variable.hasInitializer() || Variable.hasAppendingLinkage())
    return false;
  return Variable.isExternallyInitialized() ||
         (!Variable.isConstant() && !Variable.hasPrivateLinkage());
}

Error DevicePreparation::moveVariables() {
  removeFromUsedLists(Module,
                      [](Constant *C) { return isa<GlobalVariable>(C); });
  SmallVector<GlobalVariable *, 16> Variables;
  for (GlobalVariable &Variable : Module.globals())
    Variables.push_back(&Variable);
  for (GlobalVariable *Variable : Variables) {
    bool Defined = Variable->hasInitializer();
    auto *Array = dyn_cast<ArrayType>(Variable->getValueType());
    if (Defined && isa<UndefValue>(Variable->getInitializer()))
      moveShared(*Variable);
    else if (!Defined && Array && Array->getNumElements() == 0)
      moveDynamicShared(*Variable);
    else if (isDeviceVariable(*Variable)) {
      if (Error E = moveToHeap(*Variable))
        return E;
      continue;
    } else
      continue;
    if (Variable->use_empty())
      Variable->eraseFromParent();
  }
  return Error::success();
}

void DevicePreparation::replaceTraps() {
  Function *Trap = Module.getFunction("llvm.trap");
  if (!Trap)
    return;
  Constant *Kind = text("trap"), *Message = text("the kernel trapped");
  for (User *U : make_early_inc_range(Trap->users())) {
    auto *Call = cast<CallInst>(U);
    IRBuilder<> Builder(Call);
    FunctionCallee Stop = Module.getOrInsertFunction(
        "__ak_stop", Builder.getVoidTy(), Builder.getPtrTy(),
        Builder.getPtrTy(), Builder.getPtrTy());
    Builder.CreateCall(
        Stop, {Kind, Message, ConstantPointerNull::get(Builder.getPtrTy())});
    Call->eraseFromParent();
  }
}

// Where C++ leaves a conversion undefined, the hardware saturates.
void DevicePreparation::saturateConversions() {
  for (Function &F : Module)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      if (!isa<FPToSIInst, FPToUIInst>(I) ||
          I.getType()->getScalarSizeInBits() < 32)
        continue;
      IRBuilder<> Builder(&I);
      Intrinsic::ID Saturating =
          isa<FPToSIInst>(I) ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat;
      Value *From = I.getOperand(0);
      I.replaceAllUsesWith(Builder.CreateIntrinsic(
          Saturating, {I.getType(), From->getType()}, {From}));
      I.eraseFromParent();
    }
}

// The headers pass a null site; here the caller's place is known.
void DevicePreparation::placeCalls() {
  for (Function &F : Module)
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallInst>(&I);
      Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (!Callee || !Callee->isDeclaration() || Call->arg_empty() ||
          !Callee->getName().starts_with("__ak_"))
        continue;
      unsigned Last = Call->arg_size() - 1;
      if (isa<ConstantPointerNull>(Call->getArgOperand(Last)))
        Call->setArgOperand(Last, Sites.at(I));
    }
}

uint64_t DevicePreparation::sharedBytes(Function &Kernel) {
  SetVector<Function *> Reached;
  Reached.insert(&Kernel);
  uint64_t Bytes = 0;
  for (unsigned I = 0; I < Reached.size(); ++I) {
    auto Use = SharedUse.find(Reached[I]);
    Bytes += Use == SharedUse.end() ? 0 : Use->second;
    for (Instruction &Inst : instructions(*Reached[I]))
      for (Value *Operand : Inst.operands())
        if (auto *Callee = dyn_cast<Function>(Operand))
          Reached.insert(Callee);
  }
  return Bytes;
}

Error DevicePreparation::registerKernels() {
  for (const KernelEntry &Entry : Device.Kernels) {
    uint64_t Shared = sharedBytes(*Entry.Kernel);
    if (Shared > MaxStaticShared)
      return createStringError(Module.getSourceFileName() + ":" +
                               Twine(Entry.Line) + ":1: error: kernel '" +
                               Entry.Name + "' has " + Twine(Shared) +
                               " bytes of static shared memory; the limit is " +
                               Twine(MaxStaticShared) + "\n");
    call("__ak_register_kernel",
         {text(Entry.Symbol), text(Entry.Name), Entry.Trampoline,
          Init.getInt64(Shared), Init.getInt32(Entry.MaxThreads)});
  }
  return Error::success();
}

Error DevicePreparation::checkSupported() {
  for (Function &F : Module)
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      auto *Asm =
          Call ? dyn_cast<InlineAsm>(Call->getCalledOperand()) : nullptr;
      if (!Asm || Asm->getAsmString().empty())
        continue;
      const DebugLoc &Place = I.getDebugLoc();
      std::string Where =
          Place ? (Place->getFilename() + ":" + Twine(Place.getLine()) + ":" +
                   Twine(Place.getCol()) + ": error: ")
                      .str()
                : "";
      return make_error<UnsupportedOnEmulator>(Where + UnsupportedMark.str() +
                                               "inline assembly");
    }
  return Error::success();
}

void DevicePreparation::internalise() {
  for (GlobalValue &Value : Module.global_values()) {
    if (Value.isDeclaration() || Value.hasLocalLinkage() ||
        Value.hasAppendingLinkage() || Value.getName().starts_with("__ak_") ||
        Value.getName().starts_with("__autokernel_") ||
        Value.getName().starts_with("__autokernel_"))
      continue;
    if (auto *Object = dyn_cast<GlobalObject>(&Value))
      Object->setComdat(nullptr);
    Value.setLinkage(GlobalValue::InternalLinkage);
    Value.setVisibility(GlobalValue::DefaultVisibility);
  }
}

Error DevicePreparation::run() {
  if (Error E = checkSupported())
    return E;
  makeInit();
  adjustAttributes();
  if (Error E = moveVariables())
    return E;
  replaceTraps();
  saturateConversions();
  placeCalls();
  if (Error E = registerKernels())
    return E;
  internalise();
  return Error::success();
}

Error prepareDevice(FrontendModule &Device, SiteTable &Sites) {
  return DevicePreparation(Device, Sites).run();
}

} // namespace autokernel::emulator
