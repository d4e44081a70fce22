// What the tool says to people: refusals with the source line and a caret.
// Surface: refusalText(), fixText(), quoteLine(), displayPath().
#pragma once

#include "Types.h"

namespace autokernel {

/// "src/x.cpp:88:5  refused [id]: message", the line, a caret, the notes.
std::string refusalText(const Refusal &refusal, const std::string &id);

/// "replace by 'autokernel_exact'".
std::string fixText(const Refusal::Fix &fix);

/// The line of a file with a caret under the column; empty if unreadable.
std::string quoteLine(const SourcePlace &place);

/// Shorter of the path and the path relative to the current folder.
std::string displayPath(const std::string &path);

} // namespace autokernel
