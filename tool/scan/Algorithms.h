// Algorithms of the standard library that are loops.
//
// Surface: isAlgorithm(), isFold(), holdsAlgorithm().
#pragma once

#include "clang/AST/Expr.h"

namespace autokernel {

/// One of std:: that the tool knows as a loop.
bool isAlgorithm(const clang::CallExpr *call);
/// One of them that writes nothing if its functions don't.
bool isFold(const clang::CallExpr *call);
/// An expression that calls one outside of lambdas.
bool holdsAlgorithm(const clang::Stmt *statement);

} // namespace autokernel
