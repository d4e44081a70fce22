#include "model/Callees.h"

#include "model/MathCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace autokernel {

bool translateMathCall(RegionState &state, const CallExpr *e) {
  auto math = resolveMathCall(e);
  if (!math)
    return false;
  state.needsMinMax |= math->needsMinMax;
  SourceRange written =
      math->isConstant ? e->getSourceRange() : e->getCallee()->getSourceRange();
  state.text.replaceRange(state.edits, written, math->name);
  if (!math->castArguments.empty())
    for (const Expr *argument : e->arguments()) {
      state.edits.insertBefore(argument->getBeginLoc(),
                               "(" + math->castArguments + ")(");
      state.edits.insertAfter(argument->getEndLoc(), ")");
    }
  return true;
}

namespace {

std::string nameOf(const FunctionDecl *f) {
  std::string name = f->getQualifiedNameAsString(), out;
  for (char c : name)
    if (llvm::isAlnum(c) || c == '_')
      out += c;
    else if (c == ':' && !out.empty() && out.back() != '_')
      out += '_';
  return out;
}

/// CUDA has functions of its own, which overloading might prefer.
std::string deviceNameOf(const FunctionDecl *f) {
  return nameOf(f) + "_device";
}

/// Reads one function and, through takeCallee, those that it calls.
class Body : public RecursiveASTVisitor<Body> {
public:
  Body(RegionState &state, const FunctionDecl *function)
      : state(state), function(function) {}

  std::string why; // it can't be taken

  bool VisitStmt(Stmt *s) {
    if (!isa<CompoundStmt, DeclStmt, IfStmt, ForStmt, WhileStmt, DoStmt,
             ReturnStmt, BreakStmt, ContinueStmt, SwitchStmt, SwitchCase,
             NullStmt, Expr>(s))
      return fail("a statement of it can't stand in a kernel");
    return true;
  }
  bool VisitExpr(Expr *e) {
    if (!isa<IntegerLiteral, FloatingLiteral, CharacterLiteral,
             CXXBoolLiteralExpr, ParenExpr, ImplicitCastExpr, CStyleCastExpr,
             CXXFunctionalCastExpr, CXXStaticCastExpr, DeclRefExpr,
             UnaryOperator, BinaryOperator, ConditionalOperator, CallExpr,
             ArraySubscriptExpr, FullExpr, MaterializeTemporaryExpr,
             InitListExpr, UnaryExprOrTypeTraitExpr>(e) ||
        isa<CXXOperatorCallExpr, CXXMemberCallExpr>(e))
      return fail("an expression of it can't stand in a kernel");
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *e) {
    bool address = e->getOpcode() == UO_AddrOf || e->getOpcode() == UO_Deref;
    return address ? fail("it uses pointers") : true;
  }
  bool VisitExplicitCastExpr(ExplicitCastExpr *e) {
    note(e->getTypeInfoAsWritten());
    return elementType(state.unit.context, e->getType())
               ? true
               : fail("it casts to a type that kernels can't hold");
  }
  bool VisitVarDecl(VarDecl *v) {
    QualType type = v->getType();
    while (lengthOf(state.unit.context, type))
      type = state.unit.context.getAsArrayType(type)->getElementType();
    if (v->isStaticLocal())
      return fail("it keeps the state of '" + v->getNameAsString() + "'");
    if (!elementType(state.unit.context, type))
      return fail("'" + v->getNameAsString() +
                  "' has a type that kernels can't hold");
    note(v->getTypeSourceInfo());
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
  bool VisitDeclRefExpr(DeclRefExpr *ref) {
    if (isa<FunctionDecl>(ref->getDecl()))
      return true;
    const auto *v = dyn_cast<VarDecl>(ref->getDecl());
    if (v && v->getDeclContext() == function)
      return true;
    if (!noteConstant(state, ref))
      return fail("it uses '" + ref->getDecl()->getNameAsString() +
                  "', which is neither its own nor a constant");
    return true;
  }
  bool VisitCallExpr(CallExpr *call) {
    if (translateMathCall(state, call))
      return true;
    return takeCallee(state, call);
  }

private:
  bool fail(const std::string &reason) {
    if (why.empty())
      why = reason;
    return false;
  }
  void note(TypeSourceInfo *info) {
    if (info)
      if (const auto *alias = info->getType()->getAs<TypedefType>())
        state.typedefs.insert(alias->getDecl());
  }

  RegionState &state;
  const FunctionDecl *function;
};

std::string whyNotSimple(const RegionState &state, const FunctionDecl *f) {
  const ASTContext &context = state.unit.context;
  if (f->isTemplateInstantiation() || f->isDependentContext())
    return "it is a template";
  if (const auto *method = dyn_cast<CXXMethodDecl>(f))
    if (!method->isStatic())
      return "it is a member function";
  if (f->isVariadic() || !elementType(context, f->getReturnType()))
    return "it doesn't return a number";
  for (const ParmVarDecl *p : f->parameters())
    if (!elementType(context, p->getType()))
      return "its parameter '" + p->getNameAsString() + "' is no number";
  return "";
}

bool refuseCall(RegionState &state, const CallExpr *call,
                const std::string &why) {
  state.refuse(call->getBeginLoc(), "call-unsupported",
               "'" + call->getDirectCallee()->getNameAsString() +
                   "' can't be taken into a kernel: " + why);
  return false;
}

/// Reads the body; the function is on `state.reading` meanwhile.
bool readBody(RegionState &state, const CallExpr *call,
              const FunctionDecl *function) {
  state.reading.push_back(function);
  Body body(state, function);
  body.TraverseStmt(function->getBody());
  state.reading.pop_back();
  if (state.failed())
    return false;
  if (!body.why.empty())
    return refuseCall(state, call, body.why);
  state.callees.push_back(function);
  return true;
}

std::string signature(const RegionState &state, const FunctionDecl *f,
                      const std::string &name) {
  const ASTContext &context = state.unit.context;
  std::string list;
  for (const ParmVarDecl *p : f->parameters())
    list += (list.empty() ? "" : ", ") +
            elementType(context, p->getType())->spelling + " " +
            p->getNameAsString();
  bool isEmptyC = list.empty() && state.site.region.isC;
  return elementType(context, f->getReturnType())->spelling + " " + name + "(" +
         (isEmptyC ? "void" : list) + ") ";
}

} // namespace

bool takeCallee(RegionState &state, const CallExpr *call) {
  const FunctionDecl *function = nullptr;
  if (!call->getDirectCallee() || !call->getDirectCallee()->hasBody(function)) {
    state.refuse(call->getBeginLoc(), "call-without-body",
                 "the body of '" +
                     (call->getDirectCallee()
                          ? call->getDirectCallee()->getNameAsString()
                          : "a function behind a pointer") +
                     "' can't be seen here");
    return false;
  }
  if (llvm::is_contained(state.reading, function))
    return refuseCall(state, call, "it calls itself");
  SourceRange name = call->getCallee()->getSourceRange();
  state.text.replaceRange(state.edits, name, deviceNameOf(function));
  state.text.replaceRange(state.referenceEdits, name, nameOf(function));
  if (llvm::is_contained(state.callees, function))
    return true;
  std::string why = whyNotSimple(state, function);
  if (!why.empty())
    return refuseCall(state, call, why);
  return readBody(state, call, function);
}

std::string deviceFunctions(const RegionState &state) {
  std::string out;
  for (const FunctionDecl *f : state.callees)
    out += "__device__ " + signature(state, f, deviceNameOf(f)) +
           state.text.text(f->getBody()->getSourceRange(), state.edits) + "\n";
  return out;
}

std::string referenceFunctions(const RegionState &state) {
  std::string out;
  bool isC = state.site.region.isC;
  if (!isC && state.needsMinMax && !state.callees.empty())
    out = "using std::max;\nusing std::min;\n";
  for (const FunctionDecl *f : state.callees)
    out +=
        "static " + signature(state, f, nameOf(f)) +
        state.text.text(f->getBody()->getSourceRange(), state.referenceEdits) +
        "\n";
  return out;
}

} // namespace autokernel
