// References that may be elements of an array that the region uses.
//
// `const float &a` beside a written `float *y` may be y[3]. Such a reference
// becomes an array of one element: the guard that keeps arrays apart at each
// call then holds for it, too.

#include "model/RegionState.h"

#include "clang/AST/ASTContext.h"

using namespace clang;

namespace autokernel {

namespace {

/// Whether an access of type `a` may touch an object of type `b`.
bool mayAlias(const ElementType &a, const ElementType &b) {
  auto isInteger = [](const ElementType &t) {
    return t.kind == ElementType::Int || t.kind == ElementType::UInt;
  };
  auto isChar = [&](const ElementType &t) {
    return isInteger(t) && t.bits == 8;
  };
  if (isChar(a) || isChar(b))
    return true;
  return a.bits == b.bits &&
         (a.kind == b.kind || (isInteger(a) && isInteger(b)));
}

/// Other names for the same object: arrays, references, globals.
bool mayBeShared(const RegionState &state, const VarDecl *v) {
  const Param &p = state.contract.params[state.paramOf.at(v)];
  return p.isArray || v->getType()->isReferenceType() || !v->hasLocalStorage();
}

bool isWritten(const RegionState &state, const VarDecl *v) {
  return state.writtenArrays.count(v) || state.assigned.count(v);
}

bool isPlace(const RegionState &state, const VarDecl *v) {
  const Param &own = state.contract.params[state.paramOf.at(v)];
  // Where the region assigns it, the call looks at its address as it is.
  if (own.isArray || !v->getType()->isReferenceType() ||
      state.assigned.count(v))
    return false;
  for (const auto &[other, number] : state.paramOf)
    if (other != v && mayBeShared(state, other) &&
        (isWritten(state, v) || isWritten(state, other)) &&
        mayAlias(own.type, state.contract.params[number].type))
      return true;
  return false;
}

} // namespace

void findPlaces(RegionState &state) {
  for (const auto &[v, number] : state.paramOf)
    if (isPlace(state, v))
      state.places.insert(v);
  for (const VarDecl *v : state.places) {
    Param &p = state.contract.params[state.paramOf[v]];
    p.isArray = true;
    p.argument = p.argument == p.name ? "&" + p.name : "&(" + p.argument + ")";
    p.declaration =
        (isWritten(state, v) ? "" : "const ") + p.type.spelling + " *" + p.name;
  }
  bool isC = state.site.region.isC; // which has no references
  for (const VarDecl *v : state.places) {
    state.edits.names[v] = v->getNameAsString() + "[0]";
    if (isC)
      state.referenceEdits.names[v] = v->getNameAsString() + "[0]";
  }
  for (const DeclRefExpr *ref : state.mentions) {
    const auto *v = dyn_cast<VarDecl>(ref->getDecl());
    if (!state.places.count(v))
      continue;
    state.edits.replaceToken(ref->getLocation(), state.edits.names[v]);
    if (isC)
      state.referenceEdits.replaceToken(ref->getLocation(),
                                        state.edits.names[v]);
  }
}

} // namespace autokernel
