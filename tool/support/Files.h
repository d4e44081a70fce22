// Files that are written whole or not at all.
// Surface: readFile(), writeFileAtomically(), writeIfDifferent(), digestOf(),
// TemporaryFolder.
#pragma once

#include "llvm/Support/Error.h"

#include <string>

namespace autokernel {

llvm::Expected<std::string> readFile(const std::string &path);

/// Writes to a neighbour and renames; makes the folder if it is missing.
llvm::Error writeFileAtomically(const std::string &path,
                                llvm::StringRef contents);

/// The same, but leaves an identical file (and its time) alone.
llvm::Error writeIfDifferent(const std::string &path, llvm::StringRef contents);

/// 32 hex digits of a 128-bit hash.
std::string digestOf(llvm::StringRef text);

/// A fresh folder that goes away with the object.
class TemporaryFolder {
public:
  static llvm::Expected<TemporaryFolder> make(const std::string &prefix);
  TemporaryFolder(TemporaryFolder &&other) : folder(std::move(other.folder)) {
    other.folder.clear();
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  ~TemporaryFolder();
  const std::string &path() const { return folder; }
  std::string file(llvm::StringRef name) const;

private:
  explicit TemporaryFolder(std::string folder) : folder(std::move(folder)) {}
  std::string folder;
};

} // namespace autokernel
