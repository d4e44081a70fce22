#include "scan/Scan.h"

#include "scan/AttributeTokens.h"
#include "scan/RegionNames.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace autokernel {

SourcePlace placeOf(const SourceManager &sources, SourceLocation location) {
  PresumedLoc presumed = sources.getPresumedLoc(location);
  if (presumed.isInvalid())
    return {};
  return {presumed.getFilename(), presumed.getLine(), presumed.getColumn()};
}

namespace {

class Finder : public RecursiveASTVisitor<Finder> {
public:
  explicit Finder(ParsedUnit &unit)
      : unit(unit), sources(unit.context.getSourceManager()) {}

  bool shouldVisitTemplateInstantiations() const { return false; }

  bool TraverseDecl(Decl *decl) {
    auto *function = llvm::dyn_cast_or_null<FunctionDecl>(decl);
    if (!function)
      return RecursiveASTVisitor::TraverseDecl(decl);
    const FunctionDecl *outer = current;
    current = function;
    addFunction(function);
    bool ok = RecursiveASTVisitor::TraverseDecl(decl);
    current = outer;
    return ok;
  }

  bool VisitAttributedStmt(AttributedStmt *statement) {
    std::vector<const AnnotateAttr *> clauses;
    for (const Attr *attr : statement->getAttrs())
      if (isClause(attr))
        clauses.push_back(llvm::cast<AnnotateAttr>(attr));
    add(clauses, statement->getSubStmt(), statement->getBeginLoc());
    return true;
  }

  ScanResult result;

private:
  void addFunction(const FunctionDecl *function) {
    std::vector<const AnnotateAttr *> clauses;
    for (const Attr *attr : function->attrs())
      if (isClause(attr) && !attr->isInherited())
        clauses.push_back(llvm::cast<AnnotateAttr>(attr));
    if (!function->doesThisDeclarationHaveABody()) {
      if (!clauses.empty())
        refuse(clauses[0]->getLocation(),
               "this declaration has no body; put the attribute on the "
               "function's definition");
      return;
    }
    add(clauses, function->getBody(), function->getBeginLoc());
  }

  void add(std::vector<const AnnotateAttr *> clauses, const Stmt *statement,
           SourceLocation attribute) {
    if (clauses.empty())
      return;
    Site site;
    site.statement = statement;
    site.function = current;
    site.clauses = std::move(clauses);
    site.region.place = placeOf(sources, statement->getBeginLoc());
    site.region.attribute = placeOf(sources, site.clauses[0]->getLocation());
    site.region.isC = !unit.context.getLangOpts().CPlusPlus;
    if (current)
      site.region.function = current->getNameAsString();
    setOffsets(site, attribute);
    if (!hasMainClause(site)) {
      refuse(site.clauses[0]->getLocation(),
             "'" + clauseName(site.clauses[0]).str() +
                 "' means nothing without [[autokernel]] beside it");
      return;
    }
    result.sites.push_back(std::move(site));
  }

  static bool hasMainClause(const Site &site) {
    for (const AnnotateAttr *clause : site.clauses)
      if (clauseName(clause) == "autokernel")
        return true;
    return false;
  }

  void setOffsets(Site &site, SourceLocation attribute) {
    SourceLocation begin =
        sources.getExpansionLoc(site.statement->getBeginLoc());
    SourceLocation end = Lexer::getLocForEndOfToken(
        sources.getExpansionRange(site.statement->getEndLoc()).getEnd(), 0,
        sources, unit.context.getLangOpts());
    site.region.begin = sources.getFileOffset(begin);
    site.region.end = sources.getFileOffset(end);
    (void)attribute;
    setAttributeOffsets(site);
  }

  /// From `[[` to `]]`, if the attribute is spelled in the file itself.
  void setAttributeOffsets(Site &site) {
    SourceLocation name = site.clauses[0]->getLocation();
    if (name.isMacroID())
      return;
    llvm::StringRef text = sources.getBufferData(sources.getFileID(name));
    unsigned at = sources.getFileOffset(name);
    size_t begin = text.substr(0, at).rfind("[[");
    unsigned depth = 2;
    size_t end = begin + 2;
    for (; begin != llvm::StringRef::npos && end < text.size() && depth; ++end)
      depth += text[end] == '[' ? 1 : text[end] == ']' ? -1 : 0;
    if (begin == llvm::StringRef::npos || depth)
      return;
    site.region.attributeBegin = begin;
    site.region.attributeEnd = end;
  }

  void refuse(SourceLocation place, std::string message) {
    Refusal refusal;
    refusal.id = "attribute-misuse";
    refusal.place = placeOf(sources, place);
    refusal.message = std::move(message);
    result.misuses.push_back(std::move(refusal));
  }

  ParsedUnit &unit;
  SourceManager &sources;
  const FunctionDecl *current = nullptr;
};

} // namespace

/// A loop can't be replaced inside a region that is replaced itself.
static void refuseNested(ParsedUnit &unit, ScanResult &result) {
  SourceManager &sources = unit.context.getSourceManager();
  auto around = [](const Region &outer, const Region &inner) {
    return &outer != &inner && outer.place.file == inner.place.file &&
           outer.begin <= inner.begin && inner.end <= outer.end;
  };
  std::vector<Site> kept;
  for (const Site &site : result.sites) {
    bool nested = llvm::any_of(result.sites, [&](const Site &other) {
      return around(other.region, site.region);
    });
    if (!nested) {
      kept.push_back(site);
      continue;
    }
    result.misuses.push_back(
        {"attribute-misuse",
         placeOf(sources, site.clauses[0]->getLocation()),
         "this region lies inside another one; annotate one of the two",
         {}});
  }
  result.sites = std::move(kept);
}

ScanResult findSites(ParsedUnit &unit) {
  Finder finder(unit);
  if (!unit.attributes.handled.empty())
    finder.TraverseDecl(unit.context.getTranslationUnitDecl());
  SourceManager &sources = unit.context.getSourceManager();
  for (Site &site : finder.result.sites) {
    site.inHeader = !sources.isInMainFile(
        sources.getExpansionLoc(site.statement->getBeginLoc()));
    if (site.inHeader) // nothing of it is edited
      site.region.attributeBegin = site.region.attributeEnd = 0;
  }
  llvm::stable_sort(finder.result.sites, [](const Site &a, const Site &b) {
    return a.inHeader < b.inHeader;
  });
  refuseNested(unit, finder.result);
  nameSites(finder.result.sites, unit.command.file);
  checkAttributes(unit, finder.result);
  return std::move(finder.result);
}

} // namespace autokernel
