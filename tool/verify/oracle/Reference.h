// Compiles a region's reference (the loop as a self-contained C or C++ text)
// in process into three relocatable objects: the loop as the program has it,
// the loop without optimisation, and the twin, which carries beside every
// float its value in higher precision, the sum of |terms| and an error bound.
// Surface: compileReference. The objects run through Twin.h's Oracle.
#ifndef AUTOKERNEL_VERIFY_ORACLE_REFERENCE_H
#define AUTOKERNEL_VERIFY_ORACLE_REFERENCE_H

#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace autokernel {

struct ReferenceSource {
  std::string Text;
  std::string FileName;          ///< .c or .cpp decides the language
  std::vector<std::string> Args; ///< driver arguments of the translation unit
};

/// ELF objects, position independent.
struct ReferenceObject {
  std::string Native;   ///< -O2 with the translation unit's float flags
  std::string NativeO0; ///< -O0
  std::string Twin;
};

/// The entry that every reference text defines with C linkage:
/// void autokernel_reference_call(void **args), args[i] pointing at the value
/// of parameter i.
inline constexpr char ReferenceEntry[] = "autokernel_reference_call";

/// Static initialisers of the reference, gathered here; the loader calls it.
inline constexpr char ReferenceInit[] = "autokernel_reference_init";

llvm::Expected<ReferenceObject> compileReference(const ReferenceSource &Source);

} // namespace autokernel

#endif
