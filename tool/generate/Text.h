// Small helpers for program text. Internal to generate.
#pragma once

#include <set>
#include <string>

namespace autokernel {

/// Every line of `text` moved right by `by` blanks; empty lines stay empty.
std::string indent(const std::string &text, unsigned by);
/// The identifiers in `text`.
void collectIdentifiers(const std::string &text, std::set<std::string> &out);
bool mentions(const std::string &text, const std::string &identifier);
/// `text` in parentheses unless it is one name or number.
std::string grouped(const std::string &text);

void replaceAll(std::string &text, const std::string &from,
                const std::string &to);
/// Without the comments of markOf().
std::string withoutMarks(const std::string &text);

} // namespace autokernel
