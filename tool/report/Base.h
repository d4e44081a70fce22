// What a kernel store held at another revision, from git.
// Surface: BaseStore.
#pragma once

#include "store/Store.h"
#include "support/Files.h"

#include <set>

namespace autokernel {

/// The store in `folder` at the point where the present branch left
/// `revision`; only what differs from the files on disk is looked at.
class BaseStore {
public:
  /// An error where git, the repository or the revision is missing.
  static llvm::Expected<BaseStore> open(const std::string &folder,
                                        const std::string &revision);

  /// Ids whose files differ, sorted.
  const std::set<std::string> &changedIds() const { return changed; }
  llvm::Expected<std::optional<StoredKernel>> load(const std::string &id) const;
  /// Of the kernel's `.cu`, unified; empty where one side lacks it.
  llvm::Expected<std::string> difference(const std::string &id) const;
  /// True for a file that differs from the revision, or is unknown there.
  llvm::Expected<bool> hasChanged(const std::string &file) const;

private:
  BaseStore(std::string folder, TemporaryFolder copies)
      : folder(std::move(folder)), copies(std::move(copies)) {}
  llvm::Error fetch();

  std::string folder, revision; // a commit's hash
  TemporaryFolder copies;
  std::set<std::string> changed;
};

} // namespace autokernel
