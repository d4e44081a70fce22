//===- Sites.cpp - source places inside the object ------------------------===//

#include "emulator/Sites.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace autokernel::emulator {

static const DILocation *placeInCandidate(const Instruction &I) {
  const DILocation *Place = I.getDebugLoc().get();
  while (Place && Place->getInlinedAt() &&
         Place->getFilename().starts_with("/autokernel/include"))
    Place = Place->getInlinedAt();
  return Place;
}

Constant *SiteTable::fileName(StringRef Name) {
  Constant *&Known = Files[Name];
  if (!Known) {
    Constant *Text = ConstantDataArray::getString(Module.getContext(), Name);
    Known = new GlobalVariable(Module, Text->getType(), true,
                               GlobalValue::PrivateLinkage, Text, "ak.file");
  }
  return Known;
}

Constant *SiteTable::make(const Key &Place) {
  auto [File, Line, Column, Size, Align] = Place;
  LLVMContext &Context = Module.getContext();
  Type *I32 = Type::getInt32Ty(Context), *I16 = Type::getInt16Ty(Context);
  auto *SiteType =
      StructType::get(PointerType::getUnqual(Context), I32, I32, I32, I16, I16);
  // Shadow cells hold 16 bits of index; 0 is "somewhere".
  unsigned Index = Sites.size() + 1 > 0xffff ? 0 : Sites.size() + 1;
  Constant *Value = ConstantStruct::get(
      SiteType, {File, ConstantInt::get(I32, Line),
                 ConstantInt::get(I32, Column), ConstantInt::get(I32, Index),
                 ConstantInt::get(I16, Size), ConstantInt::get(I16, Align)});
  auto *Site = new GlobalVariable(
      Module, SiteType, true, GlobalValue::PrivateLinkage, Value, "ak.site");
  Sites.push_back(Site);
  return Site;
}

Constant *SiteTable::at(const Instruction &I, unsigned Size, unsigned Align) {
  const DILocation *Place = placeInCandidate(I);
  Key K{fileName(Place ? Place->getFilename() : StringRef()),
        Place ? Place->getLine() : 0, Place ? Place->getColumn() : 0,
        std::min(Size, 0xffffu), std::min(Align, 0x8000u)};
  Constant *&Site = Known[K];
  if (!Site)
    Site = make(K);
  return Site;
}

void SiteTable::pin() {
  SmallVector<GlobalValue *, 64> All(Sites.begin(), Sites.end());
  appendToCompilerUsed(Module, All);
  // Optimisation may merge or drop what isn't pinned.
  Known.clear();
  Files.clear();
}

void SiteTable::registerIn(Function &Init) {
  LLVMContext &Context = Module.getContext();
  std::vector<Constant *> Entries(Sites.begin(), Sites.end());
  auto *Table = ConstantArray::get(
      ArrayType::get(PointerType::getUnqual(Context), Entries.size()), Entries);
  auto *Global =
      new GlobalVariable(Module, Table->getType(), true,
                         GlobalValue::PrivateLinkage, Table, "ak.sites");
  IRBuilder<> Builder(Init.back().getTerminator());
  FunctionCallee Register =
      Module.getOrInsertFunction("__ak_register_sites", Builder.getVoidTy(),
                                 Builder.getPtrTy(), Builder.getInt32Ty());
  Builder.CreateCall(Register, {Global, Builder.getInt32(Sites.size())});
}

} // namespace autokernel::emulator
