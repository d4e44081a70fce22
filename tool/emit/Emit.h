// From verified kernels to what the user's target compiles: the source with a
// choice at each region, declarations of the choosing functions, and one CUDA
// file with the kernels and those functions.
//
// The symbols carry a hash of fingerprint and kernel, so that a stale or edited
// kernel can't link.
//
// Headers with regions are copied with the choice in place, and so are those
// that include them; the source includes the copies.
//
// Surface: EmitItem, symbolSuffix(), dispatchHeader(), dispatchSource(),
// HeaderSet, headersToCopy(), rewriteHeader(), rewriteSource().
#pragma once

#include "Types.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace autokernel {

/// One region. Without a kernel only its attribute is blanked.
struct EmitItem {
  Region region;
  Contract contract; // of the present source: its arguments are passed
  /// Counters that live on: name -> text of their value after the loop.
  std::map<std::string, std::string> finalCounters;

  std::string kernelPath;                     // absolute; empty: no kernel
  std::string kernelSource;                   // the text of that file
  std::string kernelDigest;                   // of the evidence
  std::string evidence = "emulator-verified"; // for the shadow report
  int64_t largestSize = 0;                    // that was verified
  int64_t breakEvenElements = 0;              // measured iterations, 0: unknown

  bool hasKernel() const { return !kernelPath.empty(); }
};

/// 12 hex digits.
std::string symbolSuffix(const EmitItem &item);

/// `<source>.autokernel.h`, for C and C++; includes nothing.
std::string dispatchHeader(llvm::ArrayRef<EmitItem> items);

/// `<source>.autokernel.cu`.
std::string dispatchSource(llvm::ArrayRef<EmitItem> items,
                           llvm::StringRef headerPath);

/// A header that the source reads another version of.
struct HeaderCopy {
  std::string original; // real path
  std::string path;     // of the copy
  bool system = false;
};

struct HeaderSet {
  std::vector<HeaderCopy> copies;
  std::vector<Inclusion> inclusions; // all of the unit
  /// Of the copies' texts: the source changes when they do, as build systems
  /// know of no copy before they compile it.
  std::string digest;

  const HeaderCopy *find(llvm::StringRef original) const;
};

/// Headers with a kernel and those that include one; copies go to `folder`.
HeaderSet headersToCopy(llvm::ArrayRef<EmitItem> items,
                        const std::vector<Inclusion> &inclusions,
                        const std::string &folder);

/// `original` with the choice at its regions. Its neighbours are included by
/// their whole paths, as the copy lies elsewhere.
std::string rewriteHeader(llvm::StringRef original, const HeaderCopy &copy,
                          const HeaderSet &headers,
                          llvm::ArrayRef<EmitItem> items);

/// The translation unit: every byte of `original` in its place, apart from the
/// regions, the copied headers and a first line that includes `headerPath`.
std::string rewriteSource(llvm::StringRef original,
                          llvm::StringRef originalPath,
                          llvm::StringRef headerPath,
                          llvm::ArrayRef<EmitItem> items,
                          const HeaderSet &headers = {});

} // namespace autokernel
