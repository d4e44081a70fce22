// Arrays of C whose rows have a length of the run time, as flat ones.
//
// A kernel has no `float a[n][m]` of variable m: a[i][j] becomes
// a[(long)(i) * (m) + (j)] of a pointer to the elements.

#include "model/Effects.h"
#include "model/Normalise.h"

#include "clang/AST/ASTContext.h"

using namespace clang;

namespace autokernel {

namespace {

/// `a[i][j]` apart: the variable, its subscripts from the left, and the lengths
/// of its rows.
struct RowAccess {
  DeclRefExpr *root = nullptr;
  std::vector<ArraySubscriptExpr *> subscripts;
  std::vector<const ArrayType *> rows; // one less than subscripts
};

std::optional<RowAccess> apart(const ASTContext &context,
                               ArraySubscriptExpr *e) {
  RowAccess out;
  Expr *at = e;
  while (auto *s = dyn_cast<ArraySubscriptExpr>(at->IgnoreParenImpCasts())) {
    out.subscripts.insert(out.subscripts.begin(), s);
    at = s->getBase();
  }
  out.root = dyn_cast<DeclRefExpr>(at->IgnoreParenImpCasts());
  if (!out.root)
    return std::nullopt;
  QualType type = out.root->getType();
  const auto *whole = context.getAsArrayType(type);
  type = whole ? whole->getElementType() : type->getPointeeType();
  bool isVariable = false;
  while (!type.isNull() && type->isArrayType()) {
    out.rows.push_back(context.getAsArrayType(type));
    isVariable |= type->isVariableArrayType();
    type = out.rows.back()->getElementType();
  }
  bool isWhole = out.rows.size() + 1 == out.subscripts.size();
  return isVariable && isWhole ? std::optional(out) : std::nullopt;
}

} // namespace

/// How many elements a row has; null where that may be something else by now.
Expr *Normaliser::rowLength(const ArrayType *row, SourceLocation at) {
  if (const auto *fixed = dyn_cast<ConstantArrayType>(row))
    return integer(fixed->getSize().getZExtValue(), at, context().LongTy);
  const auto *variable = dyn_cast<VariableArrayType>(row);
  Expr *size = variable ? variable->getSizeExpr() : nullptr;
  const VarDecl *v = size ? namedVariable(size) : nullptr;
  bool isSteady = v && v->hasLocalStorage() && !inside.count(v) &&
                  !v->getType()->isReferenceType() &&
                  !assignedIn(site.function->getBody()).count(v);
  return isSteady ? size : nullptr;
}

Expr *Normaliser::asLong(Expr *e) {
  return ImplicitCastExpr::Create(context(), context().LongTy, CK_IntegralCast,
                                  loaded(e), nullptr, VK_PRValue,
                                  FPOptionsOverride());
}

/// The bracket that opens `s`.
SourceLocation Normaliser::openingOf(const ArraySubscriptExpr *s) const {
  SourceLocation found, base = s->getBase()->getEndLoc();
  state.text.forEachToken(
      {base, s->getIdx()->getBeginLoc()}, [&](const Token &token) {
        if (found.isInvalid() && token.getLocation() != base &&
            token.is(tok::l_square))
          found = token.getLocation();
      });
  return found;
}

Expr *Normaliser::flattened(ArraySubscriptExpr *e) {
  auto access = apart(context(), e);
  auto object = access && !current ? path(access->root) : std::nullopt;
  if (!object)
    return nullptr;
  Expr *index = nullptr;
  size_t last = access->rows.size();
  auto arithmetic = [&](BinaryOperatorKind kind, Expr *left, Expr *right) {
    return BinaryOperator::Create(context(), left, right, kind,
                                  context().LongTy, VK_PRValue, OK_Ordinary,
                                  e->getExprLoc(), FPOptionsOverride());
  };
  for (size_t i = 0; i <= last; ++i) {
    ArraySubscriptExpr *s = access->subscripts[i];
    SourceLocation open = openingOf(s), close = s->getRBracketLoc();
    Expr *own = asLong(expression(s->getIdx()));
    index = index ? arithmetic(BO_Add, index, own) : own;
    edit({open, open}, i ? "" : "[" + std::string(last - 1, '(') + "(long)(");
    if (i == last) {
      edit({close, close}, ")]");
      break;
    }
    Expr *length = rowLength(access->rows[i], close);
    if (!length)
      return nullptr;
    const VarDecl *v = namedVariable(length);
    std::string text =
        v ? v->getNameAsString()
          : std::to_string(
                cast<IntegerLiteral>(length)->getValue().getZExtValue());
    index = arithmetic(BO_Mul, index, asLong(length));
    edit({close, close},
         (i ? "))" : ")") + std::string(" * (") + text + ") + (");
  }
  QualType type = e->getType();
  std::string argument =
      "(" + context().getPointerType(type).getAsString() + ")" + object->name;
  VarDecl *flat = variable(*object, context().getPointerType(type), argument);
  return subscripted(named(flat, access->root->getSourceRange()), index, type,
                     e->getRBracketLoc());
}

} // namespace autokernel
