// Mustache rendering of the embedded kernel templates. Internal.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <string>

namespace autokernel {

/// Renders templates/kernel/<name>.cu.mustache.
std::string renderKernelTemplate(llvm::StringRef name,
                                 const llvm::json::Value &data);

} // namespace autokernel
