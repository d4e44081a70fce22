// The template arguments that the text of an instantiated region names.

#include "model/RegionState.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace autokernel {

namespace {

class Named : public RecursiveASTVisitor<Named> {
public:
  explicit Named(RegionState &state) : state(state) {}

  bool VisitSubstTemplateTypeParmTypeLoc(SubstTemplateTypeParmTypeLoc written) {
    if (auto type = elementType(state.unit.context, written.getType()))
      state.typeArguments[textOf(written.getNameLoc())] = *type;
    return true;
  }

  bool VisitSubstNonTypeTemplateParmExpr(SubstNonTypeTemplateParmExpr *e) {
    auto type = elementType(state.unit.context, e->getType());
    clang::Expr::EvalResult value;
    if (!type || !e->EvaluateAsInt(value, state.unit.context))
      return true;
    llvm::SmallString<24> digits;
    value.Val.getInt().toString(digits, 10);
    SourceLocation token = e->getBeginLoc();
    std::string name = textOf(token);
    state.valueArguments[name] = {*type, digits.str().str()};
    // An enumerator was given a cast, which nobody wrote.
    for (Edits *edits : {&state.edits, &state.referenceEdits})
      state.text.replaceRange(*edits, {token, token}, name);
    return true;
  }

  /// `typename C::value_type` is written as the type that it is here.
  bool VisitTypedefTypeLoc(TypedefTypeLoc written) {
    SourceLocation keyword = written.getElaboratedKeywordLoc();
    auto type = elementType(state.unit.context, written.getType());
    if (keyword.isValid() && type)
      for (Edits *edits : {&state.edits, &state.referenceEdits})
        state.text.replaceRange(*edits, {keyword, written.getNameLoc()},
                                type->spelling);
    return true;
  }

private:
  std::string textOf(SourceLocation token) const {
    return state.text.text({token, token});
  }
  RegionState &state;
};

} // namespace

void noteTemplateArguments(RegionState &state) {
  if (state.site.region.choice.empty())
    return;
  Named(state).TraverseStmt(const_cast<Stmt *>(state.site.statement));
}

} // namespace autokernel
