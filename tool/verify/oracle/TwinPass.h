// The twin's instrumentation of an LLVM module: beside every half, bfloat,
// float and double value its shadow (TwinAbi.h), in the manner of LLVM's NSan.
// Native values keep driving comparisons, branches, selects, conversions to
// integer and addresses. Run between: inlining and scalar replacement.
// Surface: prepareForShadows, instrumentShadows.
#ifndef AUTOKERNEL_VERIFY_ORACLE_TWINPASS_H
#define AUTOKERNEL_VERIFY_ORACLE_TWINPASS_H

namespace llvm {
class Module;
}

namespace autokernel {

/// Everything but the entry becomes internal and always-inline; fast-math
/// flags go.
void prepareForShadows(llvm::Module &M);

void instrumentShadows(llvm::Module &M);

} // namespace autokernel

#endif
