// What a model is told about a candidate that failed: exact and short.
// Surface: feedbackText(), resultText().
#pragma once

#include "Types.h"

namespace autokernel::agent {

/// For the next message. `source` is the candidate, for its lines.
std::string feedbackText(const Evidence &evidence, const std::string &source);

/// For a table: "rejected, race: ...".
std::string resultText(const Evidence &evidence);

} // namespace autokernel::agent
