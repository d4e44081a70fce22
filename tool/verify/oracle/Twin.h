// Runs a compiled reference in this process: the loop with the program's
// flags, the loop at -O0 and the twin, and answers for the shadow of any
// element that the twin has written. One oracle at a time and one thread: the
// shadow memory is process-wide. No Clang.
// Surface: Oracle, TwinValue.
#ifndef AUTOKERNEL_VERIFY_ORACLE_TWIN_H
#define AUTOKERNEL_VERIFY_ORACLE_TWIN_H

#include "verify/oracle/Reference.h"
#include "verify/oracle/TwinValue.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace autokernel {

class Oracle {
public:
  /// Loads the objects and runs their static initialisers.
  static llvm::Expected<std::unique_ptr<Oracle>>
  load(const ReferenceObject &Object);
  ~Oracle();

  /// Addresses of C symbols; null when there is none.
  void *native(llvm::StringRef Symbol);
  void *nativeO0(llvm::StringRef Symbol);
  void *twin(llvm::StringRef Symbol);

  /// The element as the twin left it: a later write to it by anybody else
  /// makes the shadow unknown.
  TwinValue shadowOf(const void *Element, unsigned ByteSize) const;

  /// Clears the shadow memory; to be called before each case.
  void forget();

  /// What ran without a shadow rule since forget(): names of functions or of
  /// kinds of instruction.
  std::vector<std::string> incomplete() const;

  /// How many comparisons and conversions to integer since forget() had an
  /// outcome within the error of their operands: a kernel that rounds another
  /// way may take another branch there, and neither is wrong.
  uint64_t undecided() const;

private:
  struct Jit;
  explicit Oracle(std::unique_ptr<Jit> J);
  std::unique_ptr<Jit> J;
};

} // namespace autokernel

#endif
