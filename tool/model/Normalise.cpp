#include "model/Normalise.h"

#include "model/MathCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace autokernel {

namespace {

/// Names that the region uses, variables that it declares, and pointers that
/// it uses as arrays.
class Names : public RecursiveASTVisitor<Names> {
public:
  std::set<const VarDecl *> declared, arrays;
  std::set<std::string> names;

  bool VisitVarDecl(VarDecl *v) {
    declared.insert(v);
    names.insert(v->getNameAsString());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *ref) {
    names.insert(ref->getDecl()->getNameAsString());
    return true;
  }
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *e) {
    arrays.insert(namedVariable(e->getBase()));
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *e) {
    for (Expr *side : {e->getLHS(), e->getRHS()})
      if (side->getType()->isPointerType() && e->isAdditiveOp())
        arrays.insert(namedVariable(side));
    return true;
  }
};

/// Finds the place in the tree where a statement stands.
Stmt **slotOf(Stmt *in, const Stmt *wanted) {
  for (Stmt *&child : in->children()) {
    if (child == wanted)
      return &child;
    if (child)
      if (Stmt **found = slotOf(child, wanted))
        return found;
  }
  return nullptr;
}

} // namespace

void normalise(RegionState &state, Site &site) {
  Normaliser(state, site).run();
}

void Normaliser::run() {
  Names names;
  auto *root = const_cast<Stmt *>(site.statement);
  names.TraverseStmt(root);
  inside = names.declared;
  usedAsArrays = names.arrays;
  usedNames = names.names;
  Stmt *replaced = statement(root);
  for (const AnnotateAttr *clause : site.clauses)
    for (auto argument = clause->args_begin(); argument != clause->args_end();
         ++argument)
      if (!state.failed())
        *argument = expression(*argument);
  if (replaced != root)
    replaceRoot(root, replaced);
}

void Normaliser::replaceRoot(Stmt *old, Stmt *with) {
  if (Stmt **slot = slotOf(site.function->getBody(), old))
    *slot = with;
  site.statement = with;
}

void Normaliser::edit(SourceRange range, const std::string &text) {
  for (Edits *edits : {&state.edits, &state.referenceEdits})
    state.text.replaceRange(*edits, range, text);
}

Expr *Normaliser::integer(uint64_t value, SourceLocation at, QualType type) {
  if (type.isNull())
    type = context().IntTy;
  return IntegerLiteral::Create(
      context(), llvm::APInt(context().getTypeSize(type), value), type, at);
}

Expr *Normaliser::subscripted(Expr *base, Expr *index, QualType type,
                              SourceLocation end) {
  CastKind kind = base->getType()->isArrayType() ? CK_ArrayToPointerDecay
                                                 : CK_LValueToRValue;
  QualType pointer = base->getType()->isArrayType()
                         ? context().getArrayDecayedType(base->getType())
                         : base->getType().getUnqualifiedType();
  if (base->isLValue())
    base = ImplicitCastExpr::Create(context(), pointer, kind, base, nullptr,
                                    VK_PRValue, FPOptionsOverride());
  return new (context())
      ArraySubscriptExpr(base, index, type, VK_LValue, OK_Ordinary, end);
}

Expr *Normaliser::loaded(Expr *e) {
  if (!e || !e->isLValue() || e->getType()->isArrayType())
    return e;
  return ImplicitCastExpr::Create(context(), e->getType().getUnqualifiedType(),
                                  CK_LValueToRValue, e, nullptr, VK_PRValue,
                                  FPOptionsOverride());
}

Stmt *Normaliser::statement(Stmt *s) {
  if (state.failed() || !s)
    return s;
  if (auto *e = dyn_cast<Expr>(s))
    return expression(e);
  if (auto *loop = dyn_cast<CXXForRangeStmt>(s))
    return rangeLoop(loop);
  if (auto *loop = dyn_cast<ForStmt>(s); loop && iteratorLoop(loop))
    return s;
  if (auto *decl = dyn_cast<DeclStmt>(s))
    return declaration(decl);
  for (Stmt *&child : s->children())
    child = statement(child);
  return s;
}

Expr *Normaliser::expression(Expr *e) {
  if (state.failed() || !e)
    return e;
  if (Expr *other = special(e))
    return other;
  if (state.failed())
    return e;
  if (current)
    return copy(e);
  if (isa<LambdaExpr>(e))
    return e;
  for (Stmt *&child : e->children())
    child = statement(child);
  return e;
}

/// What is written in another way; null: as it is.
Expr *Normaliser::special(Expr *e) {
  if (auto *ref = dyn_cast<DeclRefExpr>(e)) {
    const auto *v = dyn_cast<VarDecl>(ref->getDecl());
    if (current)
      if (auto it = current->arguments.find(v); it != current->arguments.end())
        return argument(ref);
    if (auto it = sameAs.find(v); it != sameAs.end())
      ref->setDecl(const_cast<VarDecl *>(it->second));
    auto pointer = pointerFor.find(v);
    if (pointer == pointerFor.end())
      return nullptr;
    VarDecl *p = pointer->second;
    Expr *name = DeclRefExpr::Create(context(), NestedNameSpecifierLoc(),
                                     SourceLocation(), p, false,
                                     e->getBeginLoc(), p->getType(), VK_LValue);
    return UnaryOperator::Create(
        context(), loaded(name), UO_Deref, p->getType()->getPointeeType(),
        VK_LValue, OK_Ordinary, e->getBeginLoc(), false, FPOptionsOverride());
  }
  if (auto *element = dyn_cast<ArraySubscriptExpr>(e))
    return flattened(element);
  if (auto *access = dyn_cast<MemberExpr>(e))
    return isa<FieldDecl>(access->getMemberDecl()) ? member(access) : nullptr;
  if (auto *star = dyn_cast<UnaryOperator>(e);
      star && star->getOpcode() == UO_Deref)
    return dereference(namedVariable(star->getSubExpr()), star->getBeginLoc(),
                       star->getEndLoc());
  if (auto *call = dyn_cast<CXXOperatorCallExpr>(e))
    return operatorCall(call);
  if (auto *call = dyn_cast<CXXMemberCallExpr>(e)) {
    Expr *result = containerCall(call);
    return result || state.failed() ? result : inlined(call);
  }
  return nullptr;
}

Expr *Normaliser::operatorCall(CXXOperatorCallExpr *e) {
  if (e->getOperator() == OO_Subscript && e->getNumArgs() == 2) {
    Expr *container = e->getArg(0);
    auto kind = containerOf(context(), container->getType());
    if (!kind)
      return inlined(e);
    if (path(container)) {
      Expr *index = expression(e->getArg(1));
      return subscript(container, index, e->getRParenLoc());
    }
    std::string why;
    auto layout = rowOf(context(), container->getType(), why);
    Expr *whole = layout ? row(container, *layout) : nullptr;
    if (!whole || !elementType(context(), kind->element))
      return nullptr;
    return subscripted(whole, expression(e->getArg(1)), kind->element,
                       e->getRParenLoc());
  }
  if (e->getOperator() == OO_Star && e->getNumArgs() == 1)
    return dereference(namedVariable(e->getArg(0)), e->getOperatorLoc(),
                       e->getArg(0)->getEndLoc());
  return e->getOperator() == OO_Call ? inlined(e) : nullptr;
}

/// `*it` is v[it].
Expr *Normaliser::dereference(const VarDecl *v, SourceLocation star,
                              SourceLocation name) {
  auto it = iterators.find(v);
  VarDecl *array =
      it == iterators.end() ? nullptr : elements(it->second.container);
  if (!array)
    return nullptr;
  edit({star, star}, array->getNameAsString() + "[");
  edit({name, name}, it->second.counter->getNameAsString() + "]");
  return subscripted(use(array, star), loaded(use(it->second.counter, name)),
                     array->getType()->getPointeeType(), name);
}

Stmt *Normaliser::declaration(DeclStmt *s) {
  if (s->isSingleDecl())
    if (auto *v = dyn_cast<VarDecl>(s->getSingleDecl()); v && v->getInit()) {
      if (const auto *record = v->getType()->getAsCXXRecordDecl();
          record && record->isLambda()) {
        // Its body is written where it is called.
        Splice nothing{state.text.withSemicolon(s->getSourceRange()).getEnd(),
                       {}};
        for (Edits *edits : {&state.edits, &state.referenceEdits})
          edits->splices.splices[s->getBeginLoc().getRawEncoding()] = nothing;
        return new (context()) NullStmt(s->getBeginLoc());
      }
      if (v->getType()->isLValueReferenceType())
        return reference(s, v);
    }
  for (Stmt *&child : s->children())
    child = statement(child);
  return s;
}

/// `T &r = a[i]` is a pointer for all who read the AST; the text stays.
Stmt *Normaliser::reference(DeclStmt *s, VarDecl *v) {
  Expr *init = v->getInit()->IgnoreParens();
  while (auto *full = dyn_cast<FullExpr>(init))
    init = full->getSubExpr()->IgnoreParens();
  if (auto *temporary = dyn_cast<MaterializeTemporaryExpr>(init)) {
    VarDecl *made = VarDecl::Create(
        context(), v->getDeclContext(), v->getBeginLoc(), v->getLocation(),
        v->getIdentifier(), v->getType().getNonReferenceType(),
        v->getTypeSourceInfo(), SC_None);
    made->setInit(expression(temporary->getSubExpr()));
    inside.insert(made);
    sameAs[v] = made;
    return new (context())
        DeclStmt(DeclGroupRef(made), s->getBeginLoc(), s->getEndLoc());
  }
  std::string why;
  auto layout = rowOf(context(), v->getType().getNonReferenceType(), why);
  Expr *target =
      layout ? row(init->IgnoreParenImpCasts(), *layout) : expression(init);
  if (!target || state.failed())
    return s;
  return alias(v, target, s->getSourceRange());
}

Stmt *Normaliser::alias(VarDecl *v, Expr *target, SourceRange written) {
  QualType type = target->getType();
  const VarDecl *other = namedVariable(target);
  bool wasRecord = v->getType().getNonReferenceType()->isRecordType();
  if ((other && !type->isArrayType()) ||
      (!wasRecord && !context().hasSameUnqualifiedType(
                         v->getType().getNonReferenceType(), type))) {
    state.refuse(v->getLocation(), "unsupported-statement",
                 "the reference '" + v->getNameAsString() +
                     "' is no element of an array; use what it refers to");
    return nullptr;
  }
  if (wasRecord && !v->getTypeSourceInfo()->getType()->getContainedAutoType()) {
    // `auto` is right for a row, too; the name of the struct is not.
    auto written =
        v->getTypeSourceInfo()->getTypeLoc().getAs<ReferenceTypeLoc>();
    if (written)
      edit(written.getPointeeLoc().getUnqualifiedLoc().getSourceRange(),
           "auto");
  }
  QualType own = context().getPointerType(type);
  VarDecl *made = VarDecl::Create(
      context(), v->getDeclContext(), v->getBeginLoc(), v->getLocation(),
      v->getIdentifier(), own, v->getTypeSourceInfo(), SC_None);
  made->setInit(UnaryOperator::Create(
      context(), target, UO_AddrOf, own, VK_PRValue, OK_Ordinary,
      target->getBeginLoc(), false, FPOptionsOverride()));
  pointerFor[v] = made;
  inside.insert(made);
  return new (context())
      DeclStmt(DeclGroupRef(made), written.getBegin(), written.getEnd());
}

} // namespace autokernel
