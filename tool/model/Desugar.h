// Calls and algorithms of a region as the statements that they stand for.
//
// Calls of functions that are more than a number's arithmetic and of the
// standard library's algorithms are written out in the source, which is then
// parsed again: Clang checks what was written, and later steps see loops.
// Surface: desugar().
#pragma once

#include "model/Snippet.h"

#include <optional>

namespace autokernel {

struct Desugared {
  std::vector<RewrittenSource::Edit> edits; // of the file of the site
  std::optional<Refusal> refusal;
};

Desugared desugar(const ParsedUnit &unit, const Site &site,
                  const SourceText &text);

} // namespace autokernel
