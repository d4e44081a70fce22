// Attributes as they are spelled, beside what Clang made of them.
//
// Clang drops what it doesn't know without a word: a misspelt clause, another
// syntax, an attribute where none can stand. Surface: checkAttributes().
#pragma once

#include "scan/Scan.h"

namespace autokernel {

/// Adds a misuse for every attribute of this tool, by its looks, that reached
/// no statement and no function.
void checkAttributes(ParsedUnit &unit, ScanResult &result);

} // namespace autokernel
