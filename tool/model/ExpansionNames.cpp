// Names of a function's body as they have to be written at a call of it.

#include "model/Expansion.h"
#include "model/RegionState.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace autokernel {

namespace {

class Writer : public RecursiveASTVisitor<Writer> {
public:
  explicit Writer(const BodyNames &names)
      : names(names), sources(names.unit.context.getSourceManager()) {}
  std::string why;

  bool shouldVisitImplicitCode() const { return false; }

  bool VisitVarDecl(VarDecl *v) {
    if (v->isStaticLocal())
      return fail("it keeps the state of '" + v->getNameAsString() + "'");
    if (isa<DecompositionDecl>(v))
      return fail("it has structured bindings");
    if (!names.renamed.count(v))
      names.renamed[v] = names.nameOf(v);
    return own(v->getLocation(), v);
  }

  bool VisitDeclRefExpr(DeclRefExpr *ref) {
    const ValueDecl *decl = ref->getDecl();
    if (const auto *v = dyn_cast<VarDecl>(decl)) {
      auto argument = names.arguments.find(v);
      if (argument != names.arguments.end())
        return put(ref->getLocation(), ref->getLocation(), argument->second);
      if (names.renamed.count(v))
        return own(ref->getLocation(), v);
      if (isInside(v->getLocation()) && v->isLocalVarDeclOrParm())
        return true;
    }
    return outside(ref, decl);
  }

  bool VisitMemberExpr(MemberExpr *e) {
    const auto *self = dyn_cast<CXXThisExpr>(e->getBase()->IgnoreImpCasts());
    if (!self || !self->isImplicit() || names.object.empty())
      return true;
    return put(e->getBeginLoc(), e->getMemberLoc(),
               names.object + e->getMemberDecl()->getNameAsString());
  }
  bool VisitCXXThisExpr(CXXThisExpr *e) {
    if (e->isImplicit() || names.pointer.empty())
      return true;
    return put(e->getLocation(), e->getLocation(), names.pointer);
  }
  bool VisitSubstNonTypeTemplateParmExpr(SubstNonTypeTemplateParmExpr *e) {
    Expr::EvalResult value;
    if (!e->EvaluateAsInt(value, names.unit.context))
      return fail("it has a template argument that is no integer");
    llvm::SmallString<32> digits;
    value.Val.getInt().toString(digits, 10);
    return put(e->getBeginLoc(), e->getBeginLoc(),
               "(" + digits.str().str() + ")");
  }
  bool TraverseSubstNonTypeTemplateParmExpr(SubstNonTypeTemplateParmExpr *e) {
    return VisitSubstNonTypeTemplateParmExpr(e);
  }

  bool VisitTypedefTypeLoc(TypedefTypeLoc written) {
    return type(written, written.getDecl(), written.getNameLoc());
  }
  bool VisitTagTypeLoc(TagTypeLoc written) {
    return type(written, written.getDecl(), written.getNameLoc());
  }
  bool VisitSubstTemplateTypeParmTypeLoc(SubstTemplateTypeParmTypeLoc written) {
    return put(written.getNameLoc(), written.getNameLoc(),
               spelled(written.getType()));
  }

  bool VisitAttributedStmt(AttributedStmt *s) {
    return llvm::any_of(s->getAttrs(), isClause)
               ? fail("it holds a region of its own")
               : true;
  }
  bool VisitGotoStmt(GotoStmt *) { return fail("it jumps"); }
  bool VisitLabelStmt(LabelStmt *) { return fail("it jumps"); }
  bool VisitGCCAsmStmt(GCCAsmStmt *) { return fail("it holds assembly"); }
  bool VisitCXXTryStmt(CXXTryStmt *) { return fail("it handles exceptions"); }
  bool VisitCXXThrowExpr(CXXThrowExpr *) { return fail("it throws"); }
  bool VisitPredefinedExpr(PredefinedExpr *) {
    return fail("it names the function that it is in");
  }

private:
  bool fail(const std::string &reason) {
    if (why.empty())
      why = reason;
    return false;
  }

  std::string spelled(QualType type) const {
    PrintingPolicy policy(names.unit.context.getLangOpts());
    policy.Bool = policy.FullyQualifiedName = true;
    return type.getCanonicalType().getAsString(policy);
  }

  bool put(SourceLocation first, SourceLocation last, const Snippet &with) {
    auto [it, isNew] =
        names.out.emplace(first.getRawEncoding(), Replacement{last, with});
    if (!isNew && it->second.with.text != with.text)
      return fail("one name in it means several things");
    return true;
  }

  bool own(SourceLocation at, const VarDecl *v) {
    bool isSame = names.renamed[v] == v->getNameAsString();
    return isSame || !v->getIdentifier() ? true : put(at, at, names.renamed[v]);
  }

  bool isInside(SourceLocation at) const {
    SourceRange body = names.function->getSourceRange();
    return !sources.isBeforeInTranslationUnit(at, body.getBegin()) &&
           !sources.isBeforeInTranslationUnit(body.getEnd(), at);
  }

  bool outside(const DeclRefExpr *ref, const ValueDecl *decl) {
    if (!decl->getIdentifier())
      return true; // an operator
    const auto *v = dyn_cast<VarDecl>(decl);
    if (v && v->isLocalVarDeclOrParm())
      return isHidden(v) ? fail("'" + v->getNameAsString() +
                                "' is another variable where it is called")
                         : true;
    return global(ref, decl);
  }

  /// Another variable of the name is declared between `v` and the call.
  bool isHidden(const VarDecl *v) const {
    struct Finder : RecursiveASTVisitor<Finder> {
      const VarDecl *wanted;
      std::vector<const VarDecl *> found;
      bool VisitVarDecl(VarDecl *other) {
        if (other->getIdentifier() == wanted->getIdentifier() &&
            other != wanted)
          found.push_back(other);
        return true;
      }
    } finder;
    finder.wanted = v;
    finder.TraverseStmt(names.site.function->getBody());
    return llvm::any_of(finder.found, [&](const VarDecl *other) {
      return sources.isBeforeInTranslationUnit(v->getLocation(),
                                               other->getLocation()) &&
             sources.isBeforeInTranslationUnit(other->getLocation(),
                                               names.call->getBeginLoc()) &&
             !isInside(other->getLocation());
    });
  }

  /// A variable or parameter of the function around the call.
  bool isNameThere(const IdentifierInfo *name) const {
    struct Finder : RecursiveASTVisitor<Finder> {
      const IdentifierInfo *wanted;
      bool found = false;
      bool VisitVarDecl(VarDecl *v) {
        found |= v->getIdentifier() == wanted;
        return true;
      }
    } finder;
    finder.wanted = name;
    finder.TraverseDecl(const_cast<FunctionDecl *>(names.site.function));
    const auto *method = dyn_cast<CXXMethodDecl>(names.site.function);
    return finder.found ||
           (method && !method->getParent()->lookup(name).empty());
  }

  bool global(const DeclRefExpr *ref, const ValueDecl *decl) {
    std::string name = decl->getQualifiedNameAsString();
    if (decl->getAccess() == AS_private || decl->getAccess() == AS_protected)
      return fail("'" + decl->getNameAsString() +
                  "' can't be named where it is called");
    if (isa<FunctionDecl>(decl) && isDeclaredLater(decl))
      return fail("'" + decl->getNameAsString() +
                  "' is declared again after it");
    bool isPlain = name.find("::") == std::string::npos;
    bool isNameless = name.find('(') != std::string::npos;
    bool isC = !names.unit.context.getLangOpts().CPlusPlus;
    if (isPlain || isNameless || isC) {
      if (isNameThere(decl->getIdentifier()))
        return fail("'" + decl->getNameAsString() +
                    "' means something else where it is called");
      return true;
    }
    return put(ref->getBeginLoc(), ref->getLocation(), "::" + name);
  }

  /// An overload that only the call could see.
  bool isDeclaredLater(const ValueDecl *decl) const {
    for (const NamedDecl *other :
         decl->getDeclContext()->getRedeclContext()->lookup(
             decl->getDeclName())) {
      const auto *f = other->getAsFunction();
      if (f && f->getCanonicalDecl() != decl->getCanonicalDecl() &&
          sources.isBeforeInTranslationUnit(names.function->getBeginLoc(),
                                            other->getLocation()) &&
          sources.isBeforeInTranslationUnit(other->getLocation(),
                                            names.call->getBeginLoc()))
        return true;
    }
    return false;
  }

  template <class Written>
  bool type(const Written &written, const NamedDecl *decl, SourceLocation at) {
    const DeclContext *context = decl->getDeclContext()->getRedeclContext();
    if (context->isTranslationUnit() || context->isFunctionOrMethod() ||
        written.getQualifierLoc())
      return true;
    std::string name = decl->getQualifiedNameAsString();
    if (isa<ClassTemplateSpecializationDecl>(decl) ||
        name.find('(') != std::string::npos)
      return true;
    return put(at, at, "::" + name);
  }

  const BodyNames &names;
  const SourceManager &sources;
};

} // namespace

std::string replaceNames(const BodyNames &names) {
  Writer writer(names);
  writer.TraverseStmt(names.function->getBody());
  return writer.why;
}

} // namespace autokernel
