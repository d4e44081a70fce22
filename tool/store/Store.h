// The kernel store: a folder of accepted kernels, committed beside the sources.
//
// Three files a kernel: <id>.cu, <id>.reference.c[pp], <id>.json. Written whole
// or not at all, the .json last: without it the others count for nothing. All
// are deterministic and hold no times and no absolute paths.
// Surface: KernelStore, stateOf(), codeDigest().
#pragma once

#include "Types.h"

#include "llvm/Support/Error.h"

namespace autokernel {

/// Digest of a kernel's text without its header comment, which repeats the
/// evidence.
std::string codeDigest(const std::string &source);

/// The header comment that a reviewer reads first.
std::string kernelHeader(const Contract &contract, const std::string &origin,
                         const std::string &summary,
                         const std::vector<Evidence> &evidence);

/// `source` with its header comment replaced.
std::string withHeader(const std::string &source, const std::string &header);

class KernelStore {
public:
  explicit KernelStore(std::string folder) : folder(std::move(folder)) {}

  const std::string &path() const { return folder; }
  std::string kernelPath(const std::string &id) const;
  std::string jsonPath(const std::string &id) const;

  /// Nothing where the store has no such kernel; an error where its files are
  /// damaged or don't belong together.
  llvm::Expected<std::optional<StoredKernel>> load(const std::string &id) const;
  llvm::Error save(const StoredKernel &kernel) const;
  /// Ids of all kernels, sorted.
  std::vector<std::string> ids() const;

private:
  std::string folder;
};

/// Why a stored kernel can or can't be used for `contract`.
struct StateAnswer {
  StoreState state = StoreState::Missing;
  std::string reason;
};
StateAnswer stateOf(const Contract &contract, const StoredKernel &kernel);
const char *stateName(StoreState state);

} // namespace autokernel
