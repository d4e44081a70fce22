#include "scan/Scan.h"

#include "scan/AttributeTokens.h"
#include "scan/Instances.h"
#include "scan/Sites.h"
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
      : unit(unit), sources(unit.context.getSourceManager()),
        looksAtSystem(
            llvm::any_of(unit.attributes.handled, [&](SourceLocation place) {
              return sources.isInSystemHeader(sources.getExpansionLoc(place));
            })) {}

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseDecl(Decl *decl) {
    // The standard library's instantiations are many.
    if (decl && !looksAtSystem && !llvm::isa<TranslationUnitDecl>(decl) &&
        decl->getLocation().isValid() &&
        sources.isInSystemHeader(sources.getExpansionLoc(decl->getLocation())))
      return true;
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

  bool TraverseLambdaExpr(LambdaExpr *e) {
    const LambdaExpr *outer = lambda;
    lambda = e;
    FunctionTemplateDecl *generic =
        e->getCallOperator()->getDescribedFunctionTemplate();
    inGeneric += generic != nullptr;
    bool ok = RecursiveASTVisitor::TraverseLambdaExpr(e);
    inGeneric -= generic != nullptr;
    if (generic)
      ok = ok && traverseInstances(generic);
    lambda = outer;
    return ok;
  }

  bool VisitAttributedStmt(AttributedStmt *statement) {
    std::vector<const AnnotateAttr *> clauses;
    for (const Attr *attr : statement->getAttrs())
      if (isClause(attr))
        clauses.push_back(llvm::cast<AnnotateAttr>(attr));
    add(clauses, statement->getSubStmt());
    return true;
  }

  ScanResult result;
  std::vector<Site> patterns; // in templates as they are written

private:
  bool traverseInstances(FunctionTemplateDecl *generic) {
    const FunctionDecl *outer = current;
    for (FunctionDecl *instance : generic->specializations()) {
      current = instance;
      if (instance->doesThisDeclarationHaveABody() &&
          !TraverseStmt(instance->getBody()))
        return false;
    }
    current = outer;
    return true;
  }

  void addFunction(const FunctionDecl *function) {
    std::vector<const AnnotateAttr *> clauses;
    for (const Attr *attr : function->attrs())
      if (isClause(attr) && !attr->isInherited())
        clauses.push_back(llvm::cast<AnnotateAttr>(attr));
    if (!function->doesThisDeclarationHaveABody()) {
      if (!clauses.empty() && !function->isTemplateInstantiation())
        refuse(clauses[0]->getLocation(),
               "this declaration has no body; put the attribute on the "
               "function's definition");
      return;
    }
    add(clauses, function->getBody());
  }

  void add(std::vector<const AnnotateAttr *> clauses, const Stmt *statement) {
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
    setOffsets(site);
    bool isPattern = inGeneric || (current && current->isDependentContext());
    std::optional<Instance> instance;
    if (current && !isPattern)
      instance = instanceOf(current, statement->getBeginLoc());
    if (!hasMainClause(site)) {
      if (!instance)
        refuse(site.clauses[0]->getLocation(),
               "'" + clauseName(site.clauses[0]).str() +
                   "' means nothing without [[autokernel]] beside it");
      return;
    }
    if (instance)
      describe(site, *instance);
    if (isConstexpr())
      site.refuse("constexpr-region",
                  "a kernel can't be chosen in a function that may run at "
                  "compile time");
    (isPattern ? patterns : result.sites).push_back(std::move(site));
  }

  void describe(Site &site, const Instance &instance) {
    site.suffix = instance.suffix;
    site.printedType = instance.printedType;
    site.hasLocalType = instance.hasLocalType;
    site.region.function += instance.arguments;
    site.region.choice = instance.condition;
    if (!instance.problem.empty())
      site.refuse("template-region",
                  "'" + site.region.function +
                      "' can't be told apart here: " + instance.problem);
  }

  /// Clang makes lambdas constexpr by itself where it can.
  bool isConstexpr() const {
    if (lambda) {
      llvm::StringRef head = Lexer::getSourceText(
          CharSourceRange::getCharRange(lambda->getIntroducerRange().getEnd(),
                                        lambda->getBody()->getBeginLoc()),
          sources, unit.context.getLangOpts());
      if (head.contains("constexpr") || head.contains("consteval"))
        return true;
    }
    const auto *method = llvm::dyn_cast_or_null<CXXMethodDecl>(current);
    bool isLambda = method && method->getParent()->isLambda();
    return current && !isLambda && current->isConstexpr();
  }

  static bool hasMainClause(const Site &site) {
    for (const AnnotateAttr *clause : site.clauses)
      if (clauseName(clause) == "autokernel")
        return true;
    return false;
  }

  void setOffsets(Site &site) {
    SourceLocation begin =
        sources.getExpansionLoc(site.statement->getBeginLoc());
    SourceLocation end = Lexer::getLocForEndOfToken(
        sources.getExpansionRange(site.statement->getEndLoc()).getEnd(), 0,
        sources, unit.context.getLangOpts());
    site.region.begin = sources.getFileOffset(begin);
    site.region.end = sources.getFileOffset(end);
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
  const bool looksAtSystem;
  const FunctionDecl *current = nullptr;
  const LambdaExpr *lambda = nullptr;
  unsigned inGeneric = 0; // generic lambdas around, as they are written
};

} // namespace

/// A loop can't be replaced inside a region that is replaced itself.
static void refuseNested(ParsedUnit &unit, ScanResult &result) {
  SourceManager &sources = unit.context.getSourceManager();
  auto around = [](const Region &outer, const Region &inner) {
    bool same = outer.begin == inner.begin && outer.end == inner.end;
    return !same && outer.place.file == inner.place.file &&
           outer.begin <= inner.begin && inner.end <= outer.end;
  };
  std::vector<Site> kept;
  std::set<SourceLocation> told; // once for all instantiations
  for (const Site &site : result.sites) {
    bool nested = llvm::any_of(result.sites, [&](const Site &other) {
      return around(other.region, site.region);
    });
    SourceLocation attribute = site.clauses[0]->getLocation();
    if (!nested)
      kept.push_back(site);
    else if (told.insert(attribute).second)
      result.misuses.push_back(
          {"attribute-misuse",
           placeOf(sources, attribute),
           "this region lies inside another one; annotate one of the two",
           {}});
  }
  result.sites = std::move(kept);
}

ScanResult findSites(ParsedUnit &unit) {
  Finder finder(unit);
  if (!unit.attributes.handled.empty())
    finder.TraverseDecl(unit.context.getTranslationUnitDecl());
  ScanResult &result = finder.result;
  settleSites(unit, result.sites, finder.patterns);
  refuseNested(unit, result);
  nameSites(result.sites, unit.command.file);
  checkAttributes(unit, result);
  return std::move(result);
}

} // namespace autokernel
