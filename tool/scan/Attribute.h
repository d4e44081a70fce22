// `[[autokernel]]` and its clauses, made known to Clang.
//
// Linking this registers the attributes. A handled one becomes an AnnotateAttr
// whose annotation is the clause's name (with ":identifier" where the first
// argument is a lone identifier) and whose arguments are the parsed
// expressions. Surface: isClause(), clauseName(), clauseIdentifier(),
// AttributeLog.
#pragma once

#include "clang/AST/Attr.h"

#include <string>
#include <vector>

namespace autokernel {

/// Whether `attr` was made by this file.
bool isClause(const clang::Attr *attr);
/// "autokernel", "autokernel_assume", ...
llvm::StringRef clauseName(const clang::AnnotateAttr *attr);
/// Whether there is a clause of this name.
bool isClauseName(llvm::StringRef name);
/// The clause that a misspelt name may mean, or nothing.
llvm::StringRef nearestClause(llvm::StringRef name);
/// The lone identifier given as first argument, or nothing.
llvm::StringRef clauseIdentifier(const clang::AnnotateAttr *attr);

/// What became of the attribute tokens of one translation unit.
struct AttributeLog {
  struct Misuse {
    clang::SourceLocation place;
    std::string message;
  };
  std::vector<Misuse> misuses;
  std::vector<clang::SourceLocation> handled;

  /// The log that the handlers write to; one at a time in a thread.
  static AttributeLog *&current();
};

} // namespace autokernel
