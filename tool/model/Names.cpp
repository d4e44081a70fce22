// Which names a region uses: its parameters, locals and constants.

#include "model/RegionState.h"
#include "model/TypeReasons.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace autokernel {

namespace {

class Collector : public RecursiveASTVisitor<Collector> {
public:
  explicit Collector(RegionState &state) : state(state) {}

  bool VisitVarDecl(VarDecl *v) {
    state.inside.insert(v);
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr *ref) {
    state.mentions.push_back(ref);
    if (auto *v = dyn_cast<VarDecl>(ref->getDecl()))
      used.insert(v);
    return true;
  }

  bool VisitTypedefTypeLoc(TypedefTypeLoc written) {
    spellOut(state, written);
    return true;
  }
  bool TraverseNestedNameSpecifierLoc(NestedNameSpecifierLoc) {
    return true; // Shape in Shape::Round goes with the constant
  }
  bool VisitCXXFunctionalCastExpr(CXXFunctionalCastExpr *e) {
    auto type = elementType(state.unit.context, e->getType());
    if (e->getType()->isEnumeralType() && type && type->bits != 32)
      state.refuse(e->getBeginLoc(), "unsupported-type",
                   "write static_cast for this cast to an enumeration");
    return true;
  }
  bool VisitEnumTypeLoc(EnumTypeLoc written) {
    spellOut(state, written);
    return true;
  }

  bool VisitBinaryOperator(BinaryOperator *op) {
    if (op->isAssignmentOp())
      mark(op->getLHS());
    return true;
  }

  bool VisitUnaryOperator(UnaryOperator *op) {
    if (op->isIncrementDecrementOp())
      mark(op->getSubExpr());
    if (op->getOpcode() == UO_AddrOf)
      if (const VarDecl *v = namedVariable(op->getSubExpr()))
        if (v->getType()->isScalarType())
          state.refuse(op->getBeginLoc(), "pointer-escapes",
                       "the address of '" + v->getNameAsString() +
                           "' is taken inside the region");
    return true;
  }

  bool VisitCXXThisExpr(CXXThisExpr *e) {
    state.refuse(
        e->getBeginLoc(), "unsupported-expression",
        "the object itself can't be used in a region; its members can");
    return true;
  }

  bool VisitMemberExpr(MemberExpr *e) {
    state.refuse(e->getBeginLoc(), "unsupported-expression",
                 "this member of a struct can't be taken; put it into a local "
                 "variable before the region");
    return true;
  }

  std::set<const VarDecl *> used;

private:
  void mark(const Expr *target) {
    if (const VarDecl *v = namedVariable(target))
      ++state.assigned[v];
    else
      arrayUnder(target, &state.writtenArrays);
  }

  RegionState &state;
};

bool isReserved(llvm::StringRef name) {
  static const char *const names[] = {
      "workspace", "workspace_bytes", "stream",  "threadIdx",
      "blockIdx",  "blockDim",        "gridDim", "warpSize"};
  for (const char *reserved : names)
    if (name == reserved)
      return true;
  return name.starts_with("autokernel_");
}

/// The scalar type that a pointer or array leads to.
QualType scalarUnder(const ASTContext &context, QualType type) {
  if (type->isPointerType())
    type = type->getPointeeType();
  while (const ArrayType *array = context.getAsArrayType(type))
    type = array->getElementType();
  return type;
}

/// "const float *x", "float (*A)[40]": `type` as a pointer declaration.
std::string pointerDeclaration(const ASTContext &context, QualType type,
                               const std::string &name) {
  QualType row = type->isPointerType()
                     ? type->getPointeeType()
                     : context.getAsArrayType(type)->getElementType();
  std::string dimensions;
  bool isConst = row.isConstQualified();
  while (const ConstantArrayType *array = context.getAsConstantArrayType(row)) {
    dimensions += "[" + std::to_string(array->getSize().getZExtValue()) + "]";
    row = array->getElementType();
    isConst |= row.isConstQualified();
  }
  auto element = elementType(context, row);
  std::string spelling = element ? element->spelling : "?";
  std::string declarator =
      dimensions.empty() ? " *" + name : " (*" + name + ")" + dimensions;
  return (isConst ? "const " : "") + spelling + declarator;
}

void addParam(RegionState &state, const VarDecl *v) {
  ASTContext &context = state.unit.context;
  QualType type = v->getType();
  if (type->isReferenceType())
    type = type.getNonReferenceType();
  Param param;
  param.name = v->getNameAsString();
  auto argument = state.argumentOf.find(v);
  param.argument =
      argument != state.argumentOf.end() ? argument->second : param.name;
  param.isArray = type->isPointerType() || type->isArrayType();
  QualType scalar = scalarUnder(context, type);
  auto element = elementType(context, scalar);
  if (scalar.isVolatileQualified() || type.isVolatileQualified() ||
      scalar->isAtomicType()) {
    state.refuse(v->getLocation(), "volatile-or-atomic",
                 "'" + param.name + "' is volatile or atomic");
    return;
  }
  if (!element) {
    state.refuse(v->getLocation(), "unsupported-type",
                 "'" + param.name + "' has type '" +
                     v->getType().getAsString() + "', which " +
                     whyNotHeld(v->getType(), "kernels can't take yet"));
    return;
  }
  param.type = *element;
  if (param.isArray)
    param.declaration = pointerDeclaration(context, type, param.name);
  state.paramOf[v] = state.contract.params.size();
  if (auto bounds = boundsOf(param.type))
    state.values.setBounds(state.contract.params.size(), *bounds);
  state.contract.params.push_back(std::move(param));
}

/// Constants are written into the kernel; variables become parameters.
bool isConstant(const ASTContext &context, const VarDecl *v) {
  bool isC = !context.getLangOpts().CPlusPlus;
  return v->getType().isConstQualified() && v->getType()->isArithmeticType() &&
         v->hasInit() && !isa<ParmVarDecl>(v) &&
         (isC || v->isUsableInConstantExpressions(context)) &&
         v->evaluateValue();
}

/// "q::N" as an identifier that no user's name can be.
std::string scopedName(const ValueDecl *decl) {
  std::string out = "autokernel_";
  for (char c : decl->getQualifiedNameAsString())
    if (llvm::isAlnum(c) || c == '_')
      out += c;
    else if (c == ':' && out.back() != '_')
      out += '_';
  return out;
}

} // namespace

void collectNames(RegionState &state) {
  Collector collector(state);
  collector.TraverseStmt(const_cast<Stmt *>(state.site.statement));
  for (const AnnotateAttr *clause : state.site.clauses)
    for (clang::Expr *argument : clause->args())
      collector.TraverseStmt(argument);
  std::vector<const VarDecl *> outside;
  for (const VarDecl *v : collector.used)
    if (!state.inside.count(v))
      outside.push_back(v);
  llvm::sort(outside, [&](const VarDecl *a, const VarDecl *b) {
    if (a->getLocation() == b->getLocation()) // made for members
      return a->getNameAsString() < b->getNameAsString();
    return state.sources.isBeforeInTranslationUnit(a->getLocation(),
                                                   b->getLocation());
  });
  state.outside = outside;
  for (const VarDecl *v : outside)
    if (isReserved(v->getName()))
      state.refuse(v->getLocation(), "reserved-name",
                   "the name '" + v->getNameAsString() +
                       "' means something else in a kernel");
}

namespace {

/// Assignments to one variable anywhere in a function.
class Assignments : public RecursiveASTVisitor<Assignments> {
public:
  explicit Assignments(const VarDecl *v) : variable(v) {}
  bool found = false;
  bool VisitBinaryOperator(BinaryOperator *op) {
    found |= op->isAssignmentOp() && namedVariable(op->getLHS()) == variable;
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *op) {
    found |= (op->isIncrementDecrementOp() || op->getOpcode() == UO_AddrOf) &&
             namedVariable(op->getSubExpr()) == variable;
    return true;
  }

private:
  const VarDecl *variable;
};

} // namespace

/// What the function computes a scalar parameter from, for test values.
static void addHint(RegionState &state, const VarDecl *v) {
  auto it = state.paramOf.find(v);
  if (it == state.paramOf.end() || !v->isLocalVarDecl() || !v->hasInit())
    return;
  Param &p = state.contract.params[it->second];
  if (p.isArray)
    return;
  Assignments assignments(v);
  assignments.TraverseStmt(state.site.function->getBody());
  if (assignments.found)
    return;
  clang::Expr::EvalResult value;
  if (p.type.kind == ElementType::Float) {
    if (v->getInit()->EvaluateAsRValue(value, state.unit.context) &&
        value.Val.isFloat()) {
      llvm::APFloat number = value.Val.getFloat();
      bool lost;
      number.convert(llvm::APFloat::IEEEdouble(),
                     llvm::APFloat::rmNearestTiesToEven, &lost);
      p.typical = number.convertToDouble();
    }
    return;
  }
  std::set<const VarDecl *> sizes = state.sizeLike, index = state.usedAsIndex;
  std::vector<RangeGuard> guards = state.contract.guards;
  Value derived = rawValueOf(state, v->getInit());
  state.sizeLike = sizes; // a hint is no use in the region
  state.usedAsIndex = index;
  state.contract.guards = guards;
  if (derived.known)
    p.derived = IndexExpr{derived.code,
                          state.text.text(v->getInit()->getSourceRange())};
}

void spellOut(RegionState &state, TypedefTypeLoc written) {
  const TypedefNameDecl *alias = written.getDecl();
  if (!written.getQualifierLoc() ||
      state.sources.isInSystemHeader(alias->getLocation()))
    return;
  auto type = elementType(state.unit.context, alias->getUnderlyingType());
  SourceRange range(written.getQualifierLoc().getBeginLoc(),
                    written.getNameLoc());
  for (Edits *edits : {&state.edits, &state.referenceEdits})
    if (type)
      state.text.replaceRange(*edits, range, type->spelling);
}

void spellOut(RegionState &state, EnumTypeLoc written) {
  auto type = elementType(state.unit.context, written.getType());
  if (!type)
    return;
  // One word, as it may stand in a cast, Color(k).
  std::string name =
      type->spelling == "unsigned int" ? "unsigned" : type->spelling;
  for (Edits *edits : {&state.edits, &state.referenceEdits})
    state.text.replaceRange(*edits, written.getSourceRange(), name);
}

bool noteConstant(RegionState &state, const DeclRefExpr *ref) {
  const ValueDecl *decl = ref->getDecl();
  const auto *v = dyn_cast<VarDecl>(decl);
  if (!isa<EnumConstantDecl>(decl) && !(v && isConstant(state.unit.context, v)))
    return false;
  if (!llvm::is_contained(state.constants, decl))
    state.constants.push_back(decl);
  if (!ref->hasQualifier()) {
    state.plainConstants.insert(decl);
    return true;
  }
  std::string name = scopedName(decl);
  state.scopedConstants[decl] = name;
  for (Edits *edits : {&state.edits, &state.referenceEdits})
    state.text.replaceRange(*edits, ref->getSourceRange(), name);
  return true;
}

/// A parameter stands for the variable q::x; it is called x.
static void dropScope(RegionState &state, const DeclRefExpr *ref) {
  const auto *v = dyn_cast<VarDecl>(ref->getDecl());
  auto it = state.paramOf.find(v);
  if (it == state.paramOf.end())
    return;
  std::string name = v->getNameAsString();
  for (const std::set<const VarDecl *> &others :
       {state.inside, {state.outside.begin(), state.outside.end()}})
    for (const VarDecl *other : others)
      if (other != v && other->getNameAsString() == name)
        state.refuse(ref->getBeginLoc(), "reserved-name",
                     "'" + state.text.text(ref->getSourceRange()) +
                         "' and another variable named '" + name +
                         "' are used in one region");
  state.contract.params[it->second].argument =
      "::" + v->getQualifiedNameAsString();
  for (Edits *edits : {&state.edits, &state.referenceEdits})
    state.text.replaceRange(*edits, ref->getSourceRange(), name);
}

bool addLength(RegionState &state, const VarDecl *v,
               const std::string &argument) {
  for (const Param &p : state.contract.params)
    if (p.argument == argument) {
      Param &array = state.contract.params[state.paramOf[v]];
      const VarDecl *length = nullptr;
      for (const auto &[other, number] : state.paramOf)
        if (&state.contract.params[number] == &p)
          length = other;
      state.sizeLike.insert(length);
      array.extent =
          IndexExpr{state.values.param(state.paramOf[length]).code, p.name};
      return true;
    }
  ASTContext &context = state.unit.context;
  std::string name = v->getNameAsString() + "_size";
  for (const std::set<const VarDecl *> &others :
       {state.inside, {state.outside.begin(), state.outside.end()}})
    for (const VarDecl *other : others)
      if (other->getNameAsString() == name)
        return false;
  QualType type = context.getSizeType();
  VarDecl *length = VarDecl::Create(
      context, context.getTranslationUnitDecl(), v->getLocation(),
      v->getLocation(), &context.Idents.get(name), type,
      context.getTrivialTypeSourceInfo(type), SC_Extern);
  state.argumentOf[length] = argument;
  auto after = llvm::find(state.outside, v);
  state.outside.insert(after == state.outside.end() ? after : after + 1,
                       length);
  addParam(state, length);
  return !state.failed() && addLength(state, v, argument);
}

void addParams(RegionState &state) {
  for (const VarDecl *v : state.outside)
    if (!isConstant(state.unit.context, v))
      addParam(state, v);
  for (const DeclRefExpr *ref : state.mentions)
    if (!state.inside.count(dyn_cast<VarDecl>(ref->getDecl())) &&
        !noteConstant(state, ref) && ref->hasQualifier())
      dropScope(state, ref);
  if (!state.failed())
    findPlaces(state);
  for (const VarDecl *v : state.outside)
    addHint(state, v);
}

} // namespace autokernel
