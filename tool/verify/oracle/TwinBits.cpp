// Floats that travel through memory and through integers: the calling
// convention passes small structs as integers, and copies go by words.

#include "verify/oracle/TwinFunctionShadows.h"

using namespace llvm;

namespace autokernel {

namespace {
/// Where the bits from Offset on of an integer come from: a float, or memory.
struct Origin {
  Value *Float = nullptr;
  LoadInst *Load = nullptr;
  unsigned ByteOffset = 0; ///< in the loaded integer
};
} // namespace

/// Follows the shifts and masks that take words apart and put them together.
static Origin originOf(Value *Bits, unsigned Offset, Type *Wanted,
                       unsigned Depth = 0) {
  constexpr unsigned DeepEnough = 12;
  if (Depth == DeepEnough)
    return {};
  auto Follow = [&](Value *V, unsigned At) {
    return originOf(V, At, Wanted, Depth + 1);
  };
  if (auto *Load = dyn_cast<LoadInst>(Bits))
    return Offset % 8 ? Origin{} : Origin{nullptr, Load, Offset / 8};
  auto *I = dyn_cast<Instruction>(Bits);
  if (!I)
    return {};
  auto Constant = [&] { return dyn_cast<ConstantInt>(I->getOperand(1)); };
  switch (I->getOpcode()) {
  case Instruction::BitCast:
    if (!Offset && I->getOperand(0)->getType() == Wanted)
      return {I->getOperand(0), nullptr, 0};
    return {};
  case Instruction::Trunc:
    return Follow(I->getOperand(0), Offset);
  case Instruction::ZExt:
    if (Offset >= I->getOperand(0)->getType()->getIntegerBitWidth())
      return {};
    return Follow(I->getOperand(0), Offset);
  case Instruction::LShr:
    return Constant()
               ? Follow(I->getOperand(0), Offset + Constant()->getZExtValue())
               : Origin{};
  case Instruction::Shl:
    return Constant() && Offset >= Constant()->getZExtValue()
               ? Follow(I->getOperand(0), Offset - Constant()->getZExtValue())
               : Origin{};
  case Instruction::And:
    return Constant() ? Follow(I->getOperand(0), Offset) : Origin{};
  case Instruction::Or: {
    Origin Left = Follow(I->getOperand(0), Offset);
    return Left.Float || Left.Load ? Left : Follow(I->getOperand(1), Offset);
  }
  default:
    return {};
  }
}

static Value *advanced(IRBuilder<> &B, Value *Address, unsigned Bytes) {
  return Bytes ? B.CreateConstGEP1_64(B.getInt8Ty(), Address, Bytes) : Address;
}

/// Bits that were computed have no shadow.
ShadowValue FunctionShadows::fromBits(IRBuilder<> &B, BitCastInst &Cast) {
  Value *Bits = Cast.getOperand(0);
  if (!Bits->getType()->isIntegerTy() || isa<Constant>(Bits))
    return Arithmetic.exact(B, &Cast);
  // A mask may have changed them (a sign taken off): only the same bits have
  // the shadow. For memory, loadShadow compares.
  Origin From = originOf(Bits, 0, Cast.getType());
  if (From.Float) {
    Value *Same =
        B.CreateICmpEQ(B.CreateBitCast(From.Float, Bits->getType()), Bits);
    return Arithmetic.chosen(B, Same, shadowOf(B, From.Float),
                             Arithmetic.exact(B, &Cast));
  }
  if (From.Load) {
    Value *Address = From.Load->getPointerOperand();
    return loadShadow(B, advanced(B, Address, From.ByteOffset), &Cast);
  }
  reportMissing(B, "float made from bits");
  return Arithmetic.exact(B, &Cast);
}

void FunctionShadows::storeBits(IRBuilder<> &B, StoreInst &S) {
  Value *V = S.getValueOperand(), *At = S.getPointerOperand();
  unsigned Width = V->getType()->getIntegerBitWidth();
  if (isa<LoadInst>(V)) {
    Value *From = cast<LoadInst>(V)->getPointerOperand();
    callRunTime(B, B.getVoidTy(), "autokernel_twin_copy",
                {At, From, B.getInt64(Width / 8)});
    return;
  }
  if (!isa<Instruction>(V))
    return;
  for (Type *T :
       {B.getDoubleTy(), B.getFloatTy(), B.getHalfTy(), B.getBFloatTy()})
    for (unsigned Offset = 0; Offset < Width;
         Offset += T->getScalarSizeInBits()) {
      Origin From = originOf(V, Offset, T);
      if (From.Float)
        storeShadow(B, advanced(B, At, Offset / 8), From.Float,
                    shadowOf(B, From.Float));
    }
}

void FunctionShadows::visitStore(StoreInst &S) {
  Value *V = S.getValueOperand();
  IRBuilder<> B(&S);
  if (kindOf(V->getType()) != FloatKind::None)
    return storeShadow(B, S.getPointerOperand(), V, shadowOf(B, V));
  if (V->getType()->isFPOrFPVectorTy())
    return reportMissing(B, "vector store");
  if (V->getType()->isIntegerTy())
    storeBits(B, S);
}

} // namespace autokernel
