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
  std::string suffix;      // of an instantiation's id
  std::string printedType; // see Instance
  bool hasLocalType = false;
  std::optional<Refusal> refusal; // what the place alone forbids

  /// Keeps the first refusal only.
  void refuse(const char *id, const std::string &why) {
    if (!refusal)
      refusal = Refusal{id, region.place, why, {}};
  }
};

struct ScanResult {
  std::vector<Site> sites;
  std::vector<Refusal> misuses; // attributes that annotate nothing
};

/// All regions in source order, those of headers after the unit's own; each
/// instantiation of a template is a region.
ScanResult findSites(ParsedUnit &unit);

/// Place of `location` as a user sees it.
SourcePlace placeOf(const clang::SourceManager &sources,
                    clang::SourceLocation location);

} // namespace autokernel
