// What evaluating something does besides giving a value. Internal.
//
// Calls can be moved in front of a statement only where nobody notices.
// Surface: changesSomething(), isPure(), callsItself(), assignedIn(),
// exposedIn(), namedIn().
#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

#include <set>

namespace autokernel {

/// An assignment, an increment, or a call that isn't pure, inside `s`.
bool changesSomething(const clang::Stmt *s);
/// It writes nothing but variables of its own and calls only such functions.
bool isPure(const clang::FunctionDecl *function);
/// Directly or through others.
bool callsItself(const clang::FunctionDecl *function);
/// Variables and fields that `s` assigns by name or takes the address of.
std::set<const clang::ValueDecl *> assignedIn(const clang::Stmt *s);
/// Those of them that something else may change through an address, a
/// reference or a lambda.
std::set<const clang::ValueDecl *> exposedIn(const clang::Stmt *s);
/// Variables and fields that `s` names.
std::set<const clang::ValueDecl *> namedIn(const clang::Stmt *s);

} // namespace autokernel
