// The embedded generator: kernels from templates, no model, no network.
//
// It maps the parallel loops of a Model to threads: outermost loops collapse
// into a grid, scalar reductions become block reductions, rows with inner loops
// get a block each, accumulation that several iterations share uses atomics.
// Surface: generateFromTemplate(), TemplateVersion.
#pragma once

#include "Types.h"

#include "llvm/Support/Error.h"

namespace autokernel {

/// Changes whenever the same Model gives another kernel.
inline constexpr unsigned TemplateVersion = 1;

struct TemplateRefusal {
  std::string message;
};

/// Fails with a message for nests that no template can map.
llvm::Expected<Candidate> generateFromTemplate(const Model &model);

} // namespace autokernel
