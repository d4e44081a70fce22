// Private to the instrumentation: the shadows of one function while it is
// being walked, and the rules for calls (TwinCalls.cpp) and for everything
// else (TwinPass.cpp).
#ifndef AUTOKERNEL_VERIFY_ORACLE_TWINFUNCTIONSHADOWS_H
#define AUTOKERNEL_VERIFY_ORACLE_TWINFUNCTIONSHADOWS_H

#include "verify/oracle/TwinArithmetic.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace autokernel {

class FunctionShadows {
public:
  FunctionShadows(llvm::Function &F, const ShadowArithmetic &Arithmetic,
                  llvm::GlobalVariable &ArgumentArea);
  void run();

private:
  // TwinPass.cpp
  void visit(llvm::Instruction &I);
  std::optional<ShadowValue> rule(llvm::IRBuilder<> &B, llvm::Instruction &I);
  ShadowValue phi(llvm::PHINode &N);
  void completePhi(llvm::PHINode &N);
  ShadowValue fromBits(llvm::IRBuilder<> &B, llvm::BitCastInst &Cast);
  void visitStore(llvm::StoreInst &S);
  ShadowValue shadowOf(llvm::IRBuilder<> &B, llvm::Value *V);
  ShadowValue loadShadow(llvm::IRBuilder<> &B, llvm::Value *Address,
                         llvm::Value *Native);
  void storeShadow(llvm::IRBuilder<> &B, llvm::Value *Address,
                   llvm::Value *Native, ShadowValue S);
  void reportMissing(llvm::IRBuilder<> &B, llvm::StringRef Name);
  llvm::CallInst *callRunTime(llvm::IRBuilder<> &B, llvm::Type *Result,
                              const llvm::Twine &Name,
                              llvm::ArrayRef<llvm::Value *> Args);
  ShadowValue readTriple(llvm::IRBuilder<> &B, llvm::Type *T,
                         llvm::Value *From);

  // TwinCalls.cpp
  void visitCall(llvm::CallBase &Call);
  std::optional<ShadowValue>
  mathRule(llvm::IRBuilder<> &B, llvm::CallBase &Call, llvm::StringRef Name);
  std::optional<ShadowValue>
  tableRule(llvm::IRBuilder<> &B, llvm::CallBase &Call, llvm::StringRef Name);
  ShadowValue tabulated(llvm::IRBuilder<> &B, llvm::StringRef Name,
                        llvm::Value *Native, llvm::ArrayRef<ShadowValue> Args);
  ShadowValue argument(llvm::IRBuilder<> &B, llvm::CallBase &Call, unsigned I);
  bool visitMemoryCall(llvm::CallBase &Call, llvm::StringRef Name);
  bool visitSinCos(llvm::CallBase &Call, llvm::StringRef Name);
  void visitOwnCall(llvm::CallBase &Call);
  void visitUnknownCall(llvm::CallBase &Call, llvm::StringRef Name);
  llvm::Value *areaSlot(llvm::IRBuilder<> &B, unsigned Index);
  void receiveArguments();
  void visitReturn(llvm::ReturnInst &R);

  llvm::Function &F;
  llvm::Module &M;
  const ShadowArithmetic &Arithmetic;
  llvm::GlobalVariable &ArgumentArea;
  llvm::DenseMap<llvm::Value *, ShadowValue> Shadows;
  /// Elements of returned structs.
  llvm::DenseMap<std::pair<llvm::Value *, unsigned>, ShadowValue> Elements;
};

/// Shadows of arguments and results of calls that remain go through a small
/// memory area, checked against the native bits like any other memory.
inline constexpr unsigned AreaSlots = 32, AreaSlotBytes = 16;

} // namespace autokernel

#endif
