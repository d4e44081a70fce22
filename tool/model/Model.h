// From an annotated statement to a Model, or to the reason why not.
//
// Surface: buildModel(). This header is for code that sees Clang; the pipeline
// uses Analyse.h.
#pragma once

#include "model/SourceText.h"
#include "scan/Scan.h"

#include <variant>

namespace autokernel {

std::variant<Model, Refusal> buildModel(ParsedUnit &unit, const Site &site,
                                        const SourceText &text);

} // namespace autokernel
