//===- Sites.h - source places inside the object ----------------*- C++ -*-===//
//
// Reports name `file:line:column`. Instead of debug information, which would
// have to be parsed at run time, every checked operation passes the address of
// a constant `__ak_site`; the machine finds others by their index.
//
//===----------------------------------------------------------------------===//
#ifndef AUTOKERNEL_EMULATOR_SITES_H
#define AUTOKERNEL_EMULATOR_SITES_H

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"
#include <map>
#include <tuple>

namespace autokernel::emulator {

class SiteTable {
public:
  explicit SiteTable(llvm::Module &Module) : Module(Module) {}

  /// The place of \p I in the candidate's text: the innermost inlined frame
  /// that isn't in our own headers.
  llvm::Constant *at(const llvm::Instruction &I, unsigned Size = 0,
                     unsigned Align = 0);

  /// Keeps the sites made so far through optimisation.
  void pin();

  /// Adds a call of __ak_register_sites to the end of \p Init.
  void registerIn(llvm::Function &Init);

private:
  using Key =
      std::tuple<llvm::Constant *, unsigned, unsigned, unsigned, unsigned>;
  llvm::Constant *fileName(llvm::StringRef Name);
  llvm::Constant *make(const Key &Place);

  llvm::Module &Module;
  llvm::StringMap<llvm::Constant *> Files;
  std::map<Key, llvm::Constant *> Known;
  std::vector<llvm::GlobalVariable *> Sites;
};

} // namespace autokernel::emulator

#endif
