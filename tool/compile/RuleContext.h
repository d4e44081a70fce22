// Private to the rule checker: one compilation of a candidate and what its AST
// checks share. checkDeclarations finds the functions; checkHost and
// checkDevice judge their bodies and record who calls whom; checkRecursion
// closes.
#ifndef AUTOKERNEL_COMPILE_RULECONTEXT_H
#define AUTOKERNEL_COMPILE_RULECONTEXT_H

#include "compile/RuleReport.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace autokernel {

struct RuleContext {
  const clang::ASTContext &AST;
  const clang::SourceManager &SM;
  clang::FileID Candidate;
  const RuleRequest &Request;
  RuleReport &Report;

  /// Bodies, of instantiations instead of templates.
  llvm::SetVector<const clang::FunctionDecl *> Functions = {};
  llvm::MapVector<const clang::FunctionDecl *,
                  llvm::SetVector<const clang::FunctionDecl *>>
      Calls = {};
  const clang::FunctionDecl *Launcher = nullptr, *Workspace = nullptr;
  /// As the contract has it, declared behind the candidate.
  const clang::FunctionDecl *Expected = nullptr;
  bool HasTables = false;

  bool isCandidate(clang::SourceLocation L) const {
    return L.isValid() && SM.getFileID(SM.getExpansionLoc(L)) == Candidate;
  }
  bool isCandidate(const clang::Decl *D) const {
    return isCandidate(D->getLocation()) || isCandidate(D->getBeginLoc());
  }
  void report(RuleId Id, clang::SourceLocation At,
              const llvm::Twine &Message) const {
    clang::SourceLocation L = SM.getExpansionLoc(At);
    bool Inside = isCandidate(At);
    Report.add(Id, Inside ? SM.getSpellingLineNumber(L) : 0,
               Inside ? SM.getSpellingColumnNumber(L) : 0, Message.str());
  }
};

void checkDeclarations(RuleContext &C, const clang::TranslationUnitDecl &Unit);
/// Attributes and storage, also of what is declared inside functions.
void checkVariable(RuleContext &C, const clang::VarDecl &V);
void checkAttributes(RuleContext &C, const clang::Decl &D);
void checkRecord(RuleContext &C, const clang::CXXRecordDecl &R);

void checkHost(RuleContext &C);
void checkDevice(RuleContext &C);
void checkRecursion(RuleContext &C);

inline bool runsOnDevice(const clang::FunctionDecl &F) {
  return F.hasAttr<clang::CUDADeviceAttr>() ||
         F.hasAttr<clang::CUDAGlobalAttr>();
}

/// The bodies of a lambda: several of a generic one.
llvm::SmallVector<const clang::FunctionDecl *, 2>
lambdaBodies(const clang::LambdaExpr &L);

} // namespace autokernel

#endif
