// Finds the candidate in what a model wrote. Surface: Written, readReply().
#pragma once

#include <string>

namespace autokernel::agent {

struct Written {
  std::string source;  // the whole .cu, without its leading comment removed
  std::string idea;    // one line
  std::string comment; // what the file's first comment says
  std::string problem; // why there is no usable candidate; else empty
};

/// The last code block that names `launcher`. Any text is an answer; what is
/// wrong with it is in `problem`.
Written readReply(const std::string &text, const std::string &launcher);

} // namespace autokernel::agent
