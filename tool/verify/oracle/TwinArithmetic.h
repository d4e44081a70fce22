// Emits the arithmetic of shadows as IR: exact value, sum of |terms|, squared
// error. The error model, with u half an ulp of the native type:
//   every operation adds (u * |result|)^2, as the loop's order has it;
//   errors of the operands go through the partial derivatives;
//   magnitudes add up in sums; where a sum ends (a product, a quotient, a
//   function, a narrower type, the output), what another order of it may lose
//   (reorderError2) joins its error, and the magnitude is |value| again.
// So any order of summation is covered, but not algebra that multiplies
// cancelled sums out, such as E[x^2] - E[x]^2.
#ifndef AUTOKERNEL_VERIFY_ORACLE_TWINARITHMETIC_H
#define AUTOKERNEL_VERIFY_ORACLE_TWINARITHMETIC_H

#include "verify/oracle/FloatKind.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace autokernel {

struct ShadowValue {
  llvm::Value *V = nullptr, *M = nullptr, *E2 = nullptr;
};

/// None for anything that isn't a scalar float.
FloatKind kindOf(llvm::Type *T);

class ShadowArithmetic {
public:
  explicit ShadowArithmetic(llvm::Module &M);

  llvm::Type *typeOf(FloatKind K) const { return isWide(K) ? Wide : Narrow; }
  static bool isWide(FloatKind K) { return K >= FloatKind::Double; }
  llvm::Value *extended(llvm::IRBuilder<> &B, llvm::Value *Native) const;

  ShadowValue literal(FloatKind K, const llvm::APFloat &F) const;
  ShadowValue zero(FloatKind K) const;
  /// The native value, without error / with one rounding.
  ShadowValue exact(llvm::IRBuilder<> &B, llvm::Value *Native) const;
  ShadowValue rounded(llvm::IRBuilder<> &B, llvm::Value *Native) const;

  // Native is the instruction whose result the shadow stands beside.
  ShadowValue sum(llvm::IRBuilder<> &B, llvm::Value *Native, ShadowValue A,
                  ShadowValue C, bool Subtract) const;
  ShadowValue product(llvm::IRBuilder<> &B, llvm::Value *Native, ShadowValue A,
                      ShadowValue C) const;
  ShadowValue quotient(llvm::IRBuilder<> &B, llvm::Value *Native, ShadowValue A,
                       ShadowValue C) const;
  ShadowValue negated(llvm::IRBuilder<> &B, ShadowValue A) const;
  ShadowValue absolute(llvm::IRBuilder<> &B, ShadowValue A) const;
  ShadowValue chosen(llvm::IRBuilder<> &B, llvm::Value *Condition,
                     ShadowValue A, ShadowValue C) const;
  /// Accumulates: a narrower sum that the language computed in a wider type
  /// (s += x * 0.5 with a float s); it goes on.
  ShadowValue converted(llvm::IRBuilder<> &B, llvm::Value *Native,
                        FloatKind From, ShadowValue A, bool Accumulates) const;
  ShadowValue fromInteger(llvm::IRBuilder<> &B, llvm::Value *Native,
                          llvm::Value *Integer, bool Signed) const;

private:
  llvm::Value *constant(FloatKind K, double D) const;
  llvm::Value *square(llvm::IRBuilder<> &B, llvm::Value *V) const;
  llvm::Value *magnitude(llvm::IRBuilder<> &B, llvm::Value *V) const;
  ShadowValue settled(llvm::IRBuilder<> &B, FloatKind K, ShadowValue S) const;
  llvm::Value *roundoff(llvm::IRBuilder<> &B, FloatKind K, llvm::Value *V,
                        bool Underflows) const;
  ShadowValue whereFinite(llvm::IRBuilder<> &B, llvm::Value *Native,
                          ShadowValue S) const;

  llvm::Type *Narrow, *Wide;
};

} // namespace autokernel

#endif
