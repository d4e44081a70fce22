// Objects behind members and containers as variables of their own.

#include "model/Normalise.h"
#include "model/TypeReasons.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace autokernel {

std::optional<Container> containerOf(const ASTContext &context, QualType type) {
  type = type.getNonReferenceType();
  const auto *record = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      type->getAsCXXRecordDecl());
  if (!record || !record->isInStdNamespace() || !record->getIdentifier())
    return std::nullopt;
  const TemplateArgumentList &arguments = record->getTemplateArgs();
  if (arguments.size() == 0 || arguments[0].getKind() != TemplateArgument::Type)
    return std::nullopt;
  llvm::StringRef name = record->getName();
  Container result;
  result.element = arguments[0].getAsType();
  if (name == "vector")
    result.kind = Container::Vector;
  else if (name == "array")
    result.kind = Container::Array;
  else if (name == "span")
    result.kind = Container::Span;
  else if (name == "valarray")
    result.kind = Container::Valarray;
  else if (name == "unique_ptr" && result.element->isArrayType())
    result.kind = Container::UniquePointer;
  else
    return std::nullopt;
  if (result.kind == Container::UniquePointer)
    result.element = context.getAsArrayType(result.element)->getElementType();
  bool isView =
      result.kind == Container::Span || result.kind == Container::UniquePointer;
  if (type.isConstQualified() && !isView)
    result.element = result.element.withConst();
  if (result.kind == Container::Array && arguments.size() > 1 &&
      arguments[1].getKind() == TemplateArgument::Integral)
    result.length = arguments[1].getAsIntegral().getZExtValue();
  return result;
}

/// The object that `e` denotes, or that it points to.
std::optional<ObjectPath> Normaliser::path(const Expr *e) const {
  e = e->IgnoreParenImpCasts();
  ObjectPath result;
  if (isa<CXXThisExpr>(e)) {
    if (current && current->object)
      return current->object;
    return ObjectPath{nullptr, "this", "this", "", e->getType()};
  }
  if (const auto *ref = dyn_cast<DeclRefExpr>(e)) {
    const auto *v = dyn_cast<VarDecl>(ref->getDecl());
    if (!v || inside.count(v) || (current && current->arguments.count(v)))
      return std::nullopt;
    bool isGlobal = !v->hasLocalStorage() && !v->isStaticLocal();
    std::string name = v->getNameAsString();
    return ObjectPath{v, std::to_string(uintptr_t(v)),
                      isGlobal && ref->hasQualifier()
                          ? "::" + v->getQualifiedNameAsString()
                          : name,
                      name, v->getType().getNonReferenceType()};
  }
  if (const auto *star = dyn_cast<UnaryOperator>(e)) {
    if (star->getOpcode() != UO_Deref)
      return std::nullopt;
    auto pointer = path(star->getSubExpr());
    if (!pointer || !pointer->type->isPointerType())
      return std::nullopt;
    pointer->spelling = "(*" + pointer->spelling + ")";
    pointer->type = pointer->type->getPointeeType();
    return pointer;
  }
  const auto *access = dyn_cast<MemberExpr>(e);
  const auto *field =
      access ? dyn_cast<FieldDecl>(access->getMemberDecl()) : nullptr;
  if (!field || (access->isArrow() && isUsedAsArray(access->getBase())))
    return std::nullopt;
  auto base = path(access->getBase());
  if (!base || base->type->isPointerType() != access->isArrow())
    return std::nullopt;
  QualType object =
      access->isArrow() ? base->type->getPointeeType() : base->type;
  if (!isNameable(field, object))
    base->closed = field;
  if (field->getIdentifier()) {
    std::string name = field->getNameAsString();
    llvm::StringRef address = base->spelling;
    if (address.consume_front("(&") && address.consume_back(")"))
      base->spelling = address.str() + "." + name;
    else
      base->spelling += (access->isArrow() ? "->" : ".") + name;
    base->name += (base->name.empty() ? "" : "_") + name;
    base->key += "." + name;
  }
  // `const` of the object around it reaches the member.
  base->type = field->getType().getNonReferenceType();
  if (object.isConstQualified() && !field->isMutable() &&
      !field->getType()->isReferenceType())
    base->type = base->type.withConst();
  if (object.isVolatileQualified())
    base->type = base->type.withVolatile();
  return base;
}

/// Whether the region's function may write `field` of such an object and means
/// this one: it is not private elsewhere, and no derived class hides it.
bool Normaliser::isNameable(const FieldDecl *field, QualType object) const {
  const auto *owner = dyn_cast<CXXRecordDecl>(field->getParent());
  const auto *record = object->getAsCXXRecordDecl();
  if (!owner || !record)
    return true;
  const auto *here = dyn_cast<CXXMethodDecl>(site.function);
  bool isOpen =
      field->getAccess() == AS_public || field->getAccess() == AS_none;
  bool isOwn = here && here->getParent()->getCanonicalDecl() ==
                           owner->getCanonicalDecl();
  if (!isOpen && !isOwn)
    return false;
  if (record->getCanonicalDecl() == owner->getCanonicalDecl() ||
      field->getParent()->isAnonymousStructOrUnion())
    return true;
  bool isHidden = !record->lookup(field->getDeclName()).empty();
  record->forallBases([&](const CXXRecordDecl *base) {
    isHidden |= base->getCanonicalDecl() != owner->getCanonicalDecl() &&
                !base->lookup(field->getDeclName()).empty();
    return true;
  });
  return !isHidden;
}

/// `p->x` of a pointer that is subscripted elsewhere is `p[0].x`.
bool Normaliser::isUsedAsArray(const Expr *pointer) const {
  const auto *ref = dyn_cast<DeclRefExpr>(pointer->IgnoreParenImpCasts());
  return ref && usedAsArrays.count(dyn_cast<VarDecl>(ref->getDecl()));
}

std::string Normaliser::freeName(const std::string &wanted) {
  std::string name = wanted;
  for (unsigned n = 2; !usedNames.insert(name).second; ++n)
    name = wanted + "_" + std::to_string(n);
  return name;
}

VarDecl *Normaliser::variable(const ObjectPath &object, QualType type,
                              const std::string &argument,
                              const std::string &suffix) {
  if (object.closed)
    state.refuse(site.statement->getBeginLoc(), "unsupported-expression",
                 "'" + object.closed->getNameAsString() +
                     "' can't be named in this function: it is private, or "
                     "hidden by a derived class; put the loop into a member "
                     "function or take a pointer before the region");
  VarDecl *&v = made[object.key + suffix];
  if (v)
    return v;
  bool isPlain = object.base && suffix.empty() &&
                 object.key == std::to_string(uintptr_t(object.base));
  std::string name = isPlain ? object.name : freeName(object.name + suffix);
  SourceLocation at =
      object.base ? object.base->getLocation() : site.function->getLocation();
  v = VarDecl::Create(context(), context().getTranslationUnitDecl(), at, at,
                      &context().Idents.get(name), type,
                      context().getTrivialTypeSourceInfo(type), SC_Extern);
  state.argumentOf[v] = argument;
  return v;
}

Expr *Normaliser::named(VarDecl *v, SourceRange range) {
  QualType type = v->getType().getNonReferenceType();
  if (current && isHidden(v))
    state.refuse(site.statement->getBeginLoc(), "reserved-name",
                 "'" + v->getNameAsString() +
                     "' means another variable where the function is called");
  Expr *ref =
      DeclRefExpr::Create(context(), NestedNameSpecifierLoc(), SourceLocation(),
                          v, false, range.getBegin(), type, VK_LValue);
  if (current)
    current->frame->splices[range.getBegin().getRawEncoding()] = {
        range.getEnd(), {Piece{"", v, {}, nullptr}}};
  else if (range.getBegin() != range.getEnd() ||
           state.text.tokens(range) != v->getNameAsString() + " ")
    edit(range, v->getNameAsString());
  if (range.getBegin() == range.getEnd())
    return ref;
  return new (context()) ParenExpr(range.getBegin(), range.getEnd(), ref);
}

/// Numbers that members hold may be elements of an array; references say so.
QualType Normaliser::memberType(QualType type) const {
  if (!type->isArithmeticType() && !type->isEnumeralType())
    return type;
  return state.unit.context.getLValueReferenceType(type);
}

Expr *Normaliser::member(MemberExpr *e) {
  const auto *declared = dyn_cast<FieldDecl>(e->getMemberDecl());
  if (!declared)
    return nullptr;
  if (declared->isBitField() || declared->getParent()->isUnion()) {
    state.refuse(e->getMemberLoc(), "unsupported-expression",
                 "'" + declared->getNameAsString() +
                     (declared->isBitField()
                          ? "' is a bit-field; its bits can't be a parameter"
                          : "' is a member of a union"));
    return e;
  }
  auto object = path(e);
  if (!object)
    return field(e);
  if (object->type->isRecordType())
    return nullptr; // refused where it is used
  QualType type = object->type;
  std::string why, argument = object->spelling;
  QualType element = type->isPointerType() ? type->getPointeeType()
                     : type->isArrayType()
                         ? context().getAsArrayType(type)->getElementType()
                         : QualType();
  if (!element.isNull() && element->isRecordType())
    return nullptr;
  return named(variable(*object, memberType(type), argument),
               e->getSourceRange());
}

VarDecl *Normaliser::elements(const Expr *container) {
  auto kind = containerOf(context(), container->getType());
  auto object = path(container);
  if (!kind || !object)
    return nullptr;
  kind = containerOf(context(), object->type);
  if (!kind)
    return nullptr;
  QualType element = kind->element;
  if (kind->kind == Container::Vector && element->isBooleanType()) {
    state.refuse(container->getBeginLoc(), "unsupported-type",
                 "'" + object->spelling +
                     "' is a std::vector<bool>, whose elements are bits; use "
                     "std::vector<char>");
    return nullptr;
  }
  if (!elementType(context(), element)) {
    std::string why;
    auto layout = rowOf(context(), element, why);
    if (!layout) {
      state.refuse(container->getBeginLoc(), "unsupported-type",
                   "'" + object->spelling + "' has elements of type '" +
                       element.getAsString() + "', which " +
                       whyNotHeld(element, "kernels can't take yet") +
                       (why.empty() ? "" : ": " + why));
      return nullptr;
    }
    element = rowType(element, *layout);
  }
  static const char *const suffixes[] = {".data()", ".data()", ".data()", "",
                                         ".get()"};
  std::string argument = object->spelling + suffixes[kind->kind];
  if (kind->kind == Container::Valarray)
    argument = "std::begin(" + object->spelling + ")";
  VarDecl *v = variable(*object, context().getPointerType(element), argument);
  if (kind->kind != Container::UniquePointer && !kind->length)
    state.lengthOf[v] = object->spelling + ".size()";
  return v;
}

Expr *Normaliser::subscript(Expr *container, Expr *index, SourceLocation end) {
  VarDecl *v = elements(container);
  if (!v)
    return nullptr;
  Expr *base = named(v, container->getSourceRange());
  return subscripted(base, index, v->getType()->getPointeeType(), end);
}

Expr *Normaliser::length(Expr *container, SourceRange written) {
  auto kind = containerOf(context(), container->getType());
  QualType type = context().getSizeType();
  if (const auto *array =
          context().getAsConstantArrayType(container->getType())) {
    edit(written, std::to_string(array->getSize().getZExtValue()));
    return integer(array->getSize().getZExtValue(), written.getBegin(), type);
  }
  auto object = path(container);
  if (!object || !kind)
    return nullptr;
  if (kind->length) {
    edit(written, std::to_string(kind->length));
    return integer(kind->length, written.getBegin(), type);
  }
  return loaded(named(
      variable(*object, type, object->spelling + ".size()", "_size"), written));
}

Expr *Normaliser::containerCall(CXXMemberCallExpr *e) {
  Expr *container = e->getImplicitObjectArgument();
  if (!container || !e->getMethodDecl())
    return nullptr;
  if (container->getType()->isPointerType())
    return nullptr;
  auto kind = containerOf(context(), container->getType());
  if (!kind)
    return nullptr;
  std::string name = e->getMethodDecl()->getNameAsString();
  if (name == "size" && kind->kind != Container::UniquePointer)
    return length(container, e->getSourceRange());
  if (name == "data" || name == "get") {
    VarDecl *v = elements(container);
    return v ? named(v, e->getSourceRange()) : nullptr;
  }
  state.refuse(e->getExprLoc(), "call-unsupported",
               name == "at" ? "'at' may throw; write v[i]"
                            : "'" + name +
                                  "' of a container can't be called in a region"
                                  "; size(), data() and [] can");
  return e;
}

} // namespace autokernel
