// From a parsed unit to its annotated regions.
//
// Surface: findSites(). A Site pairs the Region (plain data) with its AST nodes
// and clauses, for the model stage.
#pragma once

#include "Types.h"
#include "scan/Unit.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace autokernel {

struct Site {
  Region region;
  const clang::Stmt *statement = nullptr; // without the attribute
  const clang::FunctionDecl *function = nullptr;
  std::vector<const clang::AnnotateAttr *> clauses;
  bool inHeader = false; // its offsets are not of the unit's own file
};

struct ScanResult {
  std::vector<Site> sites;
  std::vector<Refusal> misuses; // attributes that annotate nothing
};

/// All regions in source order, those of headers after the unit's own.
ScanResult findSites(ParsedUnit &unit);

/// Place of `location` as a user sees it.
SourcePlace placeOf(const clang::SourceManager &sources,
                    clang::SourceLocation location);

} // namespace autokernel
