#include "verify/oracle/TwinArithmetic.h"
#include "verify/oracle/TwinAbi.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace autokernel {

/// A value is taken for a possible zero below the square root of this times its
/// error: the error is about sqrt(3) standard deviations.
constexpr double DoubtfulZero = 16;

FloatKind kindOf(Type *T) {
  if (T->isHalfTy())
    return FloatKind::Half;
  if (T->isBFloatTy())
    return FloatKind::BFloat;
  if (T->isFloatTy())
    return FloatKind::Float;
  if (T->isDoubleTy())
    return FloatKind::Double;
  if (T->isX86_FP80Ty() || T->isFP128Ty())
    return FloatKind::Extended;
  return FloatKind::None;
}

ShadowArithmetic::ShadowArithmetic(Module &M)
    : Narrow(Type::getDoubleTy(M.getContext())),
      Wide(M.getTargetTriple().isX86() ? Type::getX86_FP80Ty(M.getContext())
                                       : Type::getFP128Ty(M.getContext())) {}

Value *ShadowArithmetic::constant(FloatKind K, double D) const {
  APFloat F(D);
  bool Inexact;
  F.convert(typeOf(K)->getFltSemantics(), APFloat::rmNearestTiesToEven,
            &Inexact);
  return ConstantFP::get(typeOf(K), F);
}

Value *ShadowArithmetic::extended(IRBuilder<> &B, Value *Native) const {
  Type *T = typeOf(kindOf(Native->getType()));
  return Native->getType() == T ? Native : B.CreateFPExt(Native, T);
}

Value *ShadowArithmetic::square(IRBuilder<> &B, Value *V) const {
  return B.CreateFMul(V, V);
}

Value *ShadowArithmetic::magnitude(IRBuilder<> &B, Value *V) const {
  return B.CreateUnaryIntrinsic(Intrinsic::fabs, V);
}

/// The end of a sum: see reorderError2.
ShadowValue ShadowArithmetic::settled(IRBuilder<> &B, FloatKind K,
                                      ShadowValue S) const {
  Value *Absolute = magnitude(B, S.V);
  Value *Cancelled = B.CreateFSub(S.M, Absolute);
  Value *Zero = Constant::getNullValue(Cancelled->getType());
  // Also false for infinities, whose magnitude is zero, and NaN.
  Value *Positive = B.CreateFCmpOGT(Cancelled, Zero);
  Value *Lost = square(
      B, B.CreateFMul(Cancelled, constant(K, ReorderFactor * unitRoundoff(K))));
  return {S.V, Absolute,
          B.CreateFAdd(S.E2, B.CreateSelect(Positive, Lost, Zero))};
}

/// The squared error of one rounding of the value V. Sums are exact in the
/// denormal range; products and quotients are not.
Value *ShadowArithmetic::roundoff(IRBuilder<> &B, FloatKind K, Value *V,
                                  bool Underflows) const {
  Value *E2 = square(B, B.CreateFMul(V, constant(K, unitRoundoff(K))));
  if (!Underflows)
    return E2;
  Value *Eta = constant(K, smallestDenormal(K));
  return B.CreateFAdd(E2, square(B, Eta));
}

/// Infinities and NaN are facts that the comparator treats by rule: they carry
/// no error, lest 1/inf or exp(-inf) turn it into NaN.
ShadowValue ShadowArithmetic::whereFinite(IRBuilder<> &B, Value *Native,
                                          ShadowValue S) const {
  Type *T = Native->getType();
  Value *Finite =
      B.CreateFCmpOLT(magnitude(B, Native), ConstantFP::getInfinity(T));
  Value *Zero = Constant::getNullValue(S.M->getType());
  return {S.V, B.CreateSelect(Finite, S.M, Zero),
          B.CreateSelect(Finite, S.E2, Zero)};
}

ShadowValue ShadowArithmetic::literal(FloatKind K, const APFloat &F) const {
  APFloat Exact = F;
  bool Inexact;
  Exact.convert(typeOf(K)->getFltSemantics(), APFloat::rmNearestTiesToEven,
                &Inexact);
  Value *V = ConstantFP::get(typeOf(K), Exact);
  Value *Zero = Constant::getNullValue(typeOf(K));
  Value *M = F.isFinite() ? ConstantFP::get(typeOf(K), abs(Exact)) : Zero;
  return {V, M, Zero};
}

ShadowValue ShadowArithmetic::zero(FloatKind K) const {
  Value *Zero = Constant::getNullValue(typeOf(K));
  return {Zero, Zero, Zero};
}

ShadowValue ShadowArithmetic::exact(IRBuilder<> &B, Value *Native) const {
  Value *V = extended(B, Native);
  Value *Zero = Constant::getNullValue(V->getType());
  return whereFinite(B, Native, {V, magnitude(B, V), Zero});
}

ShadowValue ShadowArithmetic::rounded(IRBuilder<> &B, Value *Native) const {
  ShadowValue S = exact(B, Native);
  S.E2 = roundoff(B, kindOf(Native->getType()), S.V, true);
  return S;
}

ShadowValue ShadowArithmetic::sum(IRBuilder<> &B, Value *Native, ShadowValue A,
                                  ShadowValue C, bool Subtract) const {
  Value *V = Subtract ? B.CreateFSub(A.V, C.V) : B.CreateFAdd(A.V, C.V);
  Value *M = B.CreateFAdd(A.M, C.M);
  Value *E2 = B.CreateFAdd(
      B.CreateFAdd(A.E2, C.E2),
      roundoff(B, kindOf(Native->getType()), V, /*Underflows=*/false));
  // Equal terms round the same way again and again. The loop may be lucky at
  // its end, but not all along: the error is never less than the drift so far.
  Value *Drift2 = square(B, B.CreateFSub(extended(B, Native), V));
  E2 = B.CreateSelect(B.CreateFCmpOGT(Drift2, E2), Drift2, E2);
  return whereFinite(B, Native, {V, M, E2});
}

ShadowValue ShadowArithmetic::product(IRBuilder<> &B, Value *Native,
                                      ShadowValue A, ShadowValue C) const {
  FloatKind K = kindOf(Native->getType());
  A = settled(B, K, A);
  C = settled(B, K, C);
  Value *V = B.CreateFMul(A.V, C.V);
  // The errors of a chain of products of equal factors are equal, too: they add
  // up, and not in quadrature.
  auto root = [&](Value *E2) {
    return B.CreateUnaryIntrinsic(Intrinsic::sqrt, E2);
  };
  Value *Inherited = root(
      B.CreateFAdd(B.CreateFMul(square(B, C.V), A.E2),
                   B.CreateFMul(B.CreateFAdd(square(B, A.V), A.E2), C.E2)));
  Value *Own = root(roundoff(B, K, V, /*Underflows=*/true));
  Value *E2 = square(B, B.CreateFAdd(Inherited, Own));
  return whereFinite(B, Native, {V, magnitude(B, V), E2});
}

ShadowValue ShadowArithmetic::quotient(IRBuilder<> &B, Value *Native,
                                       ShadowValue A, ShadowValue C) const {
  FloatKind K = kindOf(Native->getType());
  A = settled(B, K, A);
  C = settled(B, K, C);
  Value *V = B.CreateFDiv(A.V, C.V);
  Value *E2 = B.CreateFAdd(
      B.CreateFDiv(B.CreateFAdd(A.E2, B.CreateFMul(square(B, V), C.E2)),
                   square(B, C.V)),
      roundoff(B, K, V, /*Underflows=*/true));
  ShadowValue S = whereFinite(B, Native, {V, magnitude(B, V), E2});
  // A divisor that may as well be zero: the quotient may be anything.
  Value *Doubtful = B.CreateFCmpOGT(
      B.CreateFMul(C.E2, constant(K, DoubtfulZero)), square(B, C.V));
  S.E2 =
      B.CreateSelect(Doubtful, ConstantFP::getInfinity(S.E2->getType()), S.E2);
  return S;
}

ShadowValue ShadowArithmetic::negated(IRBuilder<> &B, ShadowValue A) const {
  return {B.CreateFNeg(A.V), A.M, A.E2};
}

ShadowValue ShadowArithmetic::absolute(IRBuilder<> &B, ShadowValue A) const {
  return {magnitude(B, A.V), A.M, A.E2};
}

ShadowValue ShadowArithmetic::chosen(IRBuilder<> &B, Value *Condition,
                                     ShadowValue A, ShadowValue C) const {
  return {B.CreateSelect(Condition, A.V, C.V),
          B.CreateSelect(Condition, A.M, C.M),
          B.CreateSelect(Condition, A.E2, C.E2)};
}

ShadowValue ShadowArithmetic::converted(IRBuilder<> &B, Value *Native,
                                        FloatKind From, ShadowValue A,
                                        bool Accumulates) const {
  FloatKind To = kindOf(Native->getType());
  bool Widens = byteSize(To) > byteSize(From);
  if (!Widens && !Accumulates)
    A = settled(B, From, A);
  if (typeOf(From) != typeOf(To)) {
    Type *T = typeOf(To);
    A = {B.CreateFPCast(A.V, T), B.CreateFPCast(A.M, T),
         B.CreateFPCast(A.E2, T)};
  }
  if (Widens)
    return A;
  // Values that fit stay exact: a float that went through double and back.
  Value *Fits = B.CreateFCmpOEQ(extended(B, Native), A.V);
  Value *Exact = B.CreateAnd(
      Fits, B.CreateFCmpOEQ(A.E2, Constant::getNullValue(A.E2->getType())));
  Value *Lossy = B.CreateFAdd(A.E2, roundoff(B, To, A.V, /*Underflows=*/true));
  A.E2 = B.CreateSelect(Exact, A.E2, Lossy);
  return whereFinite(B, Native, A);
}

Value *ShadowArithmetic::withinError(IRBuilder<> &B, FloatKind K, ShadowValue A,
                                     ShadowValue C) const {
  Value *E2 = B.CreateFAdd(settled(B, K, A).E2, settled(B, K, C).E2);
  Value *Distance2 = square(B, B.CreateFSub(A.V, C.V));
  return B.CreateFCmpOLT(Distance2, B.CreateFMul(E2, constant(K, 16)));
}

Value *ShadowArithmetic::nearJump(IRBuilder<> &B, FloatKind K, ShadowValue A,
                                  bool AtHalves) const {
  Value *Half = constant(K, AtHalves ? 0.5 : 0);
  Value *Moved = B.CreateFSub(A.V, Half);
  Value *Jump =
      B.CreateFAdd(B.CreateUnaryIntrinsic(Intrinsic::rint, Moved), Half);
  Value *Zero = Constant::getNullValue(A.V->getType());
  return withinError(B, K, A, {Jump, magnitude(B, Jump), Zero});
}

ShadowValue ShadowArithmetic::fromInteger(IRBuilder<> &B, Value *Native,
                                          Value *Integer, bool Signed) const {
  FloatKind K = kindOf(Native->getType());
  Type *T = typeOf(K);
  Value *V = Signed ? B.CreateSIToFP(Integer, T) : B.CreateUIToFP(Integer, T);
  Value *M = magnitude(B, V);
  Value *Fits = B.CreateFCmpOEQ(extended(B, Native), V);
  Value *E2 = B.CreateSelect(Fits, Constant::getNullValue(T),
                             roundoff(B, K, V, /*Underflows=*/false));
  return whereFinite(B, Native, {V, M, E2});
}

} // namespace autokernel
