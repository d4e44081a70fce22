// Changes of a text, by byte offsets. Internal to emit.
#pragma once

#include "emit/Emit.h"

namespace autokernel {

/// Replaces [begin, end) by `text`.
struct Edit {
  size_t begin, end;
  std::string text;
};

/// Where several begin at one place, they come in their order.
std::string apply(llvm::StringRef source, std::vector<Edit> edits);

/// The choice at the regions that stand in `header`; "": in the source.
/// `path` is what diagnostics name.
void addRegions(llvm::StringRef source, llvm::StringRef path,
                llvm::StringRef header, llvm::ArrayRef<EmitItem> items,
                std::vector<Edit> &edits);

/// Copies in the place of what `from` includes.
void addCopies(llvm::StringRef from, const HeaderSet &headers,
               std::vector<Edit> &edits);

} // namespace autokernel
