#include "scan/Algorithms.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace autokernel {

/// In a template the function is chosen later.
static const NamedDecl *calleeOf(const CallExpr *call) {
  if (const FunctionDecl *f = call->getDirectCallee())
    return f;
  const auto *later =
      dyn_cast<UnresolvedLookupExpr>(call->getCallee()->IgnoreParenImpCasts());
  return later && later->getNumDecls() ? *later->decls_begin() : nullptr;
}

static bool isOneOf(const CallExpr *call, const llvm::StringSet<> &names) {
  const NamedDecl *f = calleeOf(call);
  return f && f->isInStdNamespace() && f->getIdentifier() &&
         !isa<CXXMethodDecl>(f) && names.contains(f->getName());
}

bool isFold(const CallExpr *call) {
  static const llvm::StringSet<> names = {
      "accumulate",    "reduce", "transform_reduce",
      "inner_product", "count",  "count_if"};
  return isOneOf(call, names);
}

bool isAlgorithm(const CallExpr *call) {
  static const llvm::StringSet<> names = {"for_each", "for_each_n", "transform",
                                          "fill",     "fill_n",     "copy",
                                          "copy_n",   "iota",       "swap"};
  return isOneOf(call, names) || isFold(call);
}

bool holdsAlgorithm(const Stmt *statement) {
  if (!statement || isa<LambdaExpr>(statement))
    return false;
  const auto *call = dyn_cast<CallExpr>(statement);
  return (call && isAlgorithm(call)) ||
         llvm::any_of(statement->children(), holdsAlgorithm);
}

} // namespace autokernel
