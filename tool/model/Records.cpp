// Arrays of structs as arrays of rows: p[i].y is row i, column 1.
//
// Taken are structs whose fields are numbers of one type, or arrays and structs
// of such: they are rows of that many numbers, floats compared as floats.

#include "model/Normalise.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecordLayout.h"

using namespace clang;

namespace autokernel {

namespace {

/// Takes a struct apart down to its numbers.
struct Shape {
  ASTContext &context;
  std::string &why;
  RowLayout layout;
  bool fail(const std::string &reason) {
    why = reason;
    return false;
  }

  bool add(QualType type) {
    while (const ConstantArrayType *array =
               context.getAsConstantArrayType(type))
      type = array->getElementType();
    if (const RecordDecl *record = type->getAsRecordDecl())
      return addRecord(record);
    if (type.isVolatileQualified() || !elementType(context, type))
      return fail("it holds a '" + type.getAsString() + "'");
    type = type.getCanonicalType().getUnqualifiedType();
    if (layout.scalar.isNull())
      layout.scalar = type;
    return layout.scalar == type ||
           fail("its fields have several types; a struct of arrays is faster "
                "and can be taken");
  }

  bool addRecord(const RecordDecl *record) {
    record = record->getDefinition();
    if (!record)
      return fail("its definition can't be seen");
    if (record->isUnion())
      return fail("it holds a union");
    if (const auto *type = dyn_cast<CXXRecordDecl>(record)) {
      if (type->isPolymorphic() || type->getNumBases())
        return fail("it has base classes or virtual functions");
      if (!type->isStandardLayout() || !type->isTriviallyCopyable())
        return fail("it can't be copied as bytes");
    }
    for (const FieldDecl *field : record->fields()) {
      if (field->isBitField())
        return fail("it holds bit-fields");
      if (field->getType()->isReferenceType())
        return fail("it holds references");
      if (!add(field->getType()))
        return false;
    }
    return true;
  }
};

} // namespace

std::optional<RowLayout> rowOf(ASTContext &context, QualType type,
                               std::string &why) {
  const RecordDecl *record = type->getAsRecordDecl();
  if (!record)
    return std::nullopt;
  if (type.isVolatileQualified()) {
    why = "it is volatile";
    return std::nullopt;
  }
  Shape shape{context, why, {}};
  if (!shape.addRecord(record) || shape.layout.scalar.isNull())
    return std::nullopt;
  uint64_t whole = context.getTypeSize(type),
           one = context.getTypeSize(shape.layout.scalar);
  if (whole % one) {
    why = "it is padded oddly";
    return std::nullopt;
  }
  shape.layout.count = whole / one;
  return shape.layout;
}

QualType Normaliser::rowType(QualType record, const RowLayout &layout) {
  QualType scalar = layout.scalar;
  if (record.isConstQualified())
    scalar = scalar.withConst();
  return context().getConstantArrayType(scalar, llvm::APInt(64, layout.count),
                                        nullptr, ArraySizeModifier::Normal, 0);
}

/// A pointer to structs as a pointer to rows.
Expr *Normaliser::rows(Expr *pointer, const RowLayout &layout) {
  Expr *e = pointer->IgnoreParenImpCasts();
  if (auto *sum = dyn_cast<BinaryOperator>(e);
      sum && sum->isAdditiveOp() && sum->getLHS()->getType()->isPointerType()) {
    Expr *base = rows(sum->getLHS(), layout);
    if (!base)
      return nullptr;
    return BinaryOperator::Create(context(), base, expression(sum->getRHS()),
                                  sum->getOpcode(), base->getType(), VK_PRValue,
                                  OK_Ordinary, sum->getOperatorLoc(),
                                  FPOptionsOverride());
  }
  if (auto *call = dyn_cast<CXXMemberCallExpr>(e))
    return loaded(containerCall(call));
  auto object = path(e);
  QualType type = object ? object->type : QualType();
  if (!object || !(type->isPointerType() || type->isArrayType()))
    return nullptr;
  QualType element = type->isPointerType()
                         ? type->getPointeeType()
                         : context().getAsArrayType(type)->getElementType();
  if (!element->isRecordType())
    return nullptr; // arrays of arrays of structs
  QualType own = context().getPointerType(rowType(element, layout));
  return loaded(
      named(variable(*object, own, object->spelling), e->getSourceRange()));
}

/// A struct that is an element of an array, as a row.
Expr *Normaliser::row(Expr *element, const RowLayout &layout) {
  Expr *e = element->IgnoreParenImpCasts();
  if (auto *ref = dyn_cast<DeclRefExpr>(e))
    return pointerFor.count(dyn_cast<VarDecl>(ref->getDecl())) ? special(ref)
                                                               : nullptr;
  if (auto *call = dyn_cast<CXXOperatorCallExpr>(e)) {
    if (call->getOperator() == OO_Star)
      return dereference(namedVariable(call->getArg(0)), call->getOperatorLoc(),
                         call->getArg(0)->getEndLoc());
    if (call->getOperator() != OO_Subscript || call->getNumArgs() != 2 ||
        !containerOf(context(), call->getArg(0)->getType()) ||
        !path(call->getArg(0)))
      return nullptr;
    return subscript(call->getArg(0), expression(call->getArg(1)),
                     call->getRParenLoc());
  }
  Expr *pointer = nullptr;
  if (auto *s = dyn_cast<ArraySubscriptExpr>(e)) {
    pointer = rows(s->getBase(), layout);
    if (pointer)
      return new (context())
          ArraySubscriptExpr(pointer, expression(s->getIdx()),
                             pointer->getType()->getPointeeType(), VK_LValue,
                             OK_Ordinary, s->getRBracketLoc());
  } else if (auto *star = dyn_cast<UnaryOperator>(e);
             star && star->getOpcode() == UO_Deref) {
    pointer = rows(star->getSubExpr(), layout);
    if (pointer)
      return UnaryOperator::Create(
          context(), pointer, UO_Deref, pointer->getType()->getPointeeType(),
          VK_LValue, OK_Ordinary, star->getOperatorLoc(), false,
          FPOptionsOverride());
  }
  return nullptr;
}

/// p[i].pos.y, p[i].v (an array), p->x.
Expr *Normaliser::field(MemberExpr *e) {
  uint64_t bits = 0;
  Expr *root = e;
  MemberExpr *first = e;
  while (auto *access = dyn_cast<MemberExpr>(root->IgnoreParenImpCasts())) {
    const auto *declared = dyn_cast<FieldDecl>(access->getMemberDecl());
    if (!declared || path(access))
      break;
    const ASTRecordLayout &layout =
        context().getASTRecordLayout(declared->getParent());
    bits += layout.getFieldOffset(declared->getFieldIndex());
    first = access;
    root = access->getBase();
    if (access->isArrow())
      break;
  }
  QualType record =
      first->isArrow() ? root->getType()->getPointeeType() : root->getType();
  std::string why;
  auto layout = rowOf(context(), record, why);
  if (!layout) {
    state.refuse(e->getMemberLoc(),
                 why.empty() ? "unsupported-expression" : "unsupported-type",
                 why.empty()
                     ? "which object '" + state.text.text(e->getSourceRange()) +
                           "' belongs to can't be told"
                     : "'" + record.getAsString() +
                           "' can't be the element of an array: " + why);
    return e;
  }
  Expr *whole = first->isArrow() ? rows(root, *layout) : row(root, *layout);
  if (!whole || state.failed()) {
    state.refuse(e->getMemberLoc(), "unsupported-expression",
                 "which object '" + state.text.text(e->getSourceRange()) +
                     "' belongs to can't be told");
    return e;
  }
  if (isa<ParenExpr>(root))
    whole = new (context())
        ParenExpr(root->getBeginLoc(), root->getEndLoc(), whole);
  QualType type = e->getType();
  bool isNumber = elementType(context(), type).has_value();
  QualType inner = type->isArrayType()
                       ? context().getAsArrayType(type)->getElementType()
                       : QualType();
  if (!isNumber && (inner.isNull() || !elementType(context(), inner))) {
    state.refuse(e->getMemberLoc(), "unsupported-expression",
                 "a part of a struct that is no number and no array of numbers "
                 "can't be used as a whole");
    return e;
  }
  std::string offset =
      std::to_string(bits / context().getTypeSize(layout->scalar));
  state.inlined.push_back("field " + e->getMemberDecl()->getNameAsString() +
                          " " + offset);
  if (first->isArrow())
    whole = subscripted(whole, integer(0, first->getOperatorLoc()),
                        whole->getType()->getPointeeType(),
                        first->getOperatorLoc());
  writeField(e, root, first->isArrow() ? "[0]" : "", offset, isNumber);
  Expr *index = integer(std::stoull(offset), e->getMemberLoc());
  QualType scalar =
      context().getAsArrayType(whole->getType())->getElementType();
  if (isNumber)
    return subscripted(whole, index, scalar, e->getMemberLoc());
  QualType pointer = context().getArrayDecayedType(whole->getType());
  whole =
      ImplicitCastExpr::Create(context(), pointer, CK_ArrayToPointerDecay,
                               whole, nullptr, VK_PRValue, FPOptionsOverride());
  Expr *sum = BinaryOperator::Create(context(), whole, index, BO_Add, pointer,
                                     VK_PRValue, OK_Ordinary, e->getMemberLoc(),
                                     FPOptionsOverride());
  return new (context()) ParenExpr(e->getBeginLoc(), e->getEndLoc(), sum);
}

/// `.pos.y` becomes `[1]`; of an array `(p[i] + 1)`.
void Normaliser::writeField(const MemberExpr *e, const Expr *root,
                            const std::string &arrow, const std::string &offset,
                            bool isNumber) {
  std::vector<SourceLocation> tokens;
  for (const Expr *at = e; at != root;) {
    const auto *access = dyn_cast<MemberExpr>(at->IgnoreParenImpCasts());
    tokens.push_back(access->getOperatorLoc());
    tokens.push_back(access->getMemberLoc());
    at = access->getBase();
  }
  for (SourceLocation token : tokens)
    edit({token, token}, "");
  edit({e->getMemberLoc(), e->getMemberLoc()},
       isNumber ? arrow + "[" + offset + "]" : arrow + " + " + offset + ")");
  if (isNumber || !opened.insert(e->getMemberLoc().getRawEncoding()).second)
    return;
  for (Edits *edits : {&state.edits, &state.referenceEdits})
    edits->insertBefore(e->getBeginLoc(), "(");
}

} // namespace autokernel
